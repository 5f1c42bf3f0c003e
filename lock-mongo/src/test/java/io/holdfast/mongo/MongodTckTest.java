package io.holdfast.mongo;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** The whole kit on a real server, where there is one. */
@Tag("server")
@EnabledIf(
    value = "isThere",
    disabledReason = "No mongod in PATH, and HOLDFAST_MONGOD does not name one.")
class MongodTckTest extends HoldfastTck {

  private static final AtomicLong SERIALS = new AtomicLong();

  private static MongodServer server;

  static boolean isThere() {
    return MongodServer.program().isPresent();
  }

  @BeforeAll
  static void startServer() {
    server = MongodServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected TckStore openStore() {
    return new MongodStore("test" + SERIALS.incrementAndGet());
  }

  private record MongodStore(String database) implements TckStore, RestartControl, StepControl {

    @Override
    public LockBackend connect(BackendOptions options) {
      return connect(options, () -> {});
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return MongoLockProvider.connect(
          server.uri(database),
          MongoSettings.standard().onCommand(what -> beforeStep.run()),
          options,
          Deadline.in(Duration.ofSeconds(20)));
    }

    @Override
    public Optional<String> uri() {
      return Optional.of(server.uri(database));
    }

    @Override
    public void restartLosingNothing() {
      server.restart();
    }

    @Override
    public void close() {
      server.drop(database);
    }
  }
}
