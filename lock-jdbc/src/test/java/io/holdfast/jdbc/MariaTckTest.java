package io.holdfast.jdbc;

import static org.junit.jupiter.api.Assumptions.abort;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.MariadbFraming;
import io.holdfast.tck.server.MariaPair;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.NetworkControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The whole kit on a MariaDB server with a clock of its own, each test in its own database. */
@Tag("server")
class MariaTckTest extends HoldfastTck {

  private static final ShiftedClock CLOCK = ShiftedClock.make();

  private static MariaPair servers;

  @BeforeAll
  static void startServer() {
    servers = MariaPair.launch(CLOCK);
  }

  @AfterAll
  static void stopServer() {
    servers.close();
    CLOCK.close();
  }

  @Override
  protected TckStore openStore() {
    return new MariaStore(MariaSchema.make(servers.uri()));
  }

  private record MariaStore(MariaSchema schema)
      implements TckStore,
          RestartControl,
          FailOverControl,
          StepControl,
          ClockControl,
          NetworkControl {

    @Override
    public LockBackend connect(BackendOptions options) {
      return schema.backend(ServerSettings.standard(), options);
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return schema.backend(
          ServerSettings.standard().onStatement(text -> beforeStep.run()), options);
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
      return new MariadbFraming();
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
      abort("nothing tells a database whose tables were lost from a new one: a stated limit");
    }

    @Override
    public void stepClock(Duration by) {
      CLOCK.step(by);
    }

    @Override
    public void close() {
      CLOCK.setRight();
      schema.close();
    }
  }
}
