package io.holdfast.redis;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.RespFraming;
import io.holdfast.tck.server.RedisServer;
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

/** The whole kit on a Redis server, each test under a prefix of its own. */
@Tag("server")
class RedisTckTest extends HoldfastTck {

  private static RedisServer server;

  @BeforeAll
  static void startServer() {
    server = RedisServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected TckStore openStore() {
    // A test before may have restored the server in such a way that a restart loses something.
    server.command("CONFIG", "SET", "appendfsync", "always");
    return new RedisStore(RedisNamespace.on(server));
  }

  private static final class RedisStore
      implements TckStore,
          RestartControl,
          FailOverControl,
          StepControl,
          ClockControl,
          NetworkControl {

    private final RedisNamespace namespace;
    private boolean lossy;

    RedisStore(RedisNamespace namespace) {
      this.namespace = namespace;
    }

    @Override
    public LockBackend connect(BackendOptions options) {
      return connect(options, () -> {});
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return connect(server.port(), RedisSettings.standard().beforeScript(beforeStep), options);
    }

    private LockBackend connect(int port, RedisSettings settings, BackendOptions options) {
      String uri = namespace.uri(port);
      return lossy
          ? namespace.backend(uri, settings, options)
          : namespace.backendOfOldServer(uri, settings, options);
    }

    @Override
    public Optional<String> uri() {
      return Optional.of(uri(server.port()));
    }

    @Override
    public int serverPort() {
      return server.port();
    }

    @Override
    public Framing framing() {
      return new RespFraming();
    }

    @Override
    public LockBackend connect(int port, BackendOptions options) {
      return connect(port, RedisSettings.standard(), options);
    }

    @Override
    public String uri(int port) {
      return namespace.uri(port) + "&restartGuard=off";
    }

    @Override
    public void restartLosingNothing() {
      server.restart();
    }

    @Override
    public void failOverLosing(Runnable lastWrites) {
      lossy = true;
      server.restoreWithout(lastWrites);
    }

    @Override
    public void loseEverything() {
      lossy = true;
      server.restartEmpty();
    }

    /** Moves what is on record the other way; the server has the machine's clock. */
    @Override
    public void stepClock(Duration by) {
      namespace.moveTimes(by.negated());
    }

    @Override
    public void close() {
      namespace.close();
    }
  }
}
