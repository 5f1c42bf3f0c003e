package io.holdfast.mongo;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The whole kit on an imitation of a server. It is kinder than a real one, so every command of
 * every test is read on its way, also those of child processes.
 */
class ImitationTckTest extends HoldfastTck {

  private static final AtomicLong SERIALS = new AtomicLong();

  private static ClockedServer server;
  private static StrictProxy proxy;

  @BeforeAll
  static void startServer() throws IOException {
    server = ClockedServer.start();
    proxy = StrictProxy.before(server.port());
  }

  @AfterAll
  static void stopServer() throws IOException {
    proxy.close();
    server.close();
  }

  @Override
  protected TckStore openStore() {
    String database = "test" + SERIALS.incrementAndGet();
    server.remember(database);
    return new ImitationStore(database, proxy.uri(database));
  }

  private record ImitationStore(String database, String address)
      implements TckStore, ClockControl, RestartControl, StepControl {

    @Override
    public LockBackend connect(BackendOptions options) {
      return connect(options, () -> {});
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return MongoLockProvider.connect(
          address,
          MongoSettings.standard().onCommand(what -> beforeStep.run()),
          options,
          Deadline.in(Duration.ofSeconds(20)));
    }

    @Override
    public Optional<String> uri() {
      return Optional.of(address);
    }

    @Override
    public void stepClock(Duration by) {
      server.stepClock(by);
    }

    /** There are no elections here: as if an earlier primary had written what is on record. */
    @Override
    public void restartLosingNothing() {
      server.ageIncarnations();
    }

    @Override
    public void close() {
      server.drop(database);
      proxy.requireNoFaults();
    }
  }
}
