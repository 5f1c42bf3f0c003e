package io.holdfast.jdbc;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.server.DatabasePair;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.NetworkControl;
import io.holdfast.tck.store.RealClockControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.tck.store.WipeControl;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The tables of one test of the kit on a server with a clock of its own. */
final class ServerStore
    implements TckStore,
        RestartControl,
        FailOverControl,
        StepControl,
        RealClockControl,
        NetworkControl,
        WipeControl {

  private final ServerSchema schema;
  private final DatabasePair servers;
  private final ShiftedClock clock;
  private final Supplier<Framing> messages;

  private boolean clockIsWrong;

  ServerStore(
      ServerSchema schema, DatabasePair servers, ShiftedClock clock, Supplier<Framing> messages) {
    this.schema = schema;
    this.servers = servers;
    this.clock = clock;
    this.messages = messages;
  }

  @Override
  public LockBackend connect(BackendOptions options) {
    return schema.backend(ServerSettings.standard(), options);
  }

  @Override
  public LockBackend connect(BackendOptions options, Runnable beforeStep) {
    return schema.backend(ServerSettings.standard().onStatement(text -> beforeStep.run()), options);
  }

  @Override
  public Optional<String> uri() {
    return Optional.of(schema.uri());
  }

  @Override
  public int serverPort() {
    return servers.primary().port();
  }

  @Override
  public Framing framing() {
    return messages.get();
  }

  @Override
  public LockBackend connect(int port, BackendOptions options) {
    return schema.backend(uri(port), ServerSettings.standard(), options);
  }

  @Override
  public String uri(int port) {
    return schema.uri().replaceFirst("//[^/]+/", "//127.0.0.1:%d/".formatted(port));
  }

  @Override
  public void restartLosingNothing() {
    servers.primary().restart();
  }

  @Override
  public void failOverLosing(Runnable lastWrites) {
    servers.failOverLosing(lastWrites);
  }

  @Override
  public void loseEverything() {
    throw new NotApplicableException(
        "Nothing tells a database whose tables were lost from a new one: a stated limit.");
  }

  @Override
  public void wipe() {
    LostWrites.NAMES.forEach(table -> schema.execute("DELETE FROM " + table));
  }

  @Override
  public void stepClock(Duration by) {
    clockIsWrong = true;
    clock.step(by);
  }

  @Override
  public void close() {
    if (clockIsWrong) {
      clock.setRight();
    }
    schema.close();
  }
}
