package io.holdfast.mongo;

import io.holdfast.mongo.imitation.ClockedServer;
import io.holdfast.mongo.imitation.StrictProxy;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.MongoFraming;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.store.NetworkControl;
import io.holdfast.tck.store.RealClockControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.tck.store.WipeControl;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The whole kit on an imitation of a server. The imitation is less strict than a real server, so a
 * proxy checks every command of every test, also those of child processes.
 */
@SharedServer(disturbedBy = RestartControl.class)
@Adapter(value = "mongodb-imitation", notProved = Claim.GRANTS_SURVIVE_FAIL_OVER)
@Tag("long")
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
    return new ImitationStore(database);
  }

  private record ImitationStore(String database)
      implements TckStore,
          RealClockControl,
          RestartControl,
          StepControl,
          NetworkControl,
          WipeControl {

    @Override
    public LockBackend connect(BackendOptions options) {
      return connect(options, () -> {});
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return connect(
          proxy.port(), MongoSettings.standard().onCommand(w -> beforeStep.run()), options);
    }

    @Override
    public LockBackend connect(int port, BackendOptions options) {
      return connect(port, MongoSettings.standard(), options);
    }

    private LockBackend connect(int port, MongoSettings settings, BackendOptions options) {
      return MongoLockProvider.connect(
          uri(port), settings, options, Deadline.in(Duration.ofSeconds(20)));
    }

    @Override
    public Optional<String> uri() {
      return Optional.of(uri(proxy.port()));
    }

    @Override
    public String uri(int port) {
      return "mongodb://127.0.0.1:%d/%s".formatted(port, database);
    }

    /** Commands over a faulty network pass the checking proxy too. */
    @Override
    public int serverPort() {
      return proxy.port();
    }

    @Override
    public Framing framing() {
      return new MongoFraming();
    }

    /** Changes all dates that clients read, from which numbers come. */
    @Override
    public void stepClock(Duration by) {
      server.stepClock(database, by);
    }

    /**
     * The imitation has no elections, so the records are changed as if an earlier primary had
     * written them.
     */
    @Override
    public void restartLosingNothing() {
      server.restart();
      server.ageIncarnations();
    }

    @Override
    public void wipe() {
      server.wipe(database);
    }

    @Override
    public void close() {
      server.drop(database);
      proxy.requireNoFaults();
    }
  }
}
