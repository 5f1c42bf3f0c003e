package io.holdfast.redis;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.RespFraming;
import io.holdfast.tck.server.RedisServer;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.NetworkControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.TckStore;
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
    return new ServerStore(RedisNamespace.on(server));
  }

  private static final class ServerStore extends RedisTckStore
      implements RestartControl, FailOverControl, NetworkControl {

    private boolean lossy;

    ServerStore(RedisNamespace namespace) {
      super(namespace);
    }

    @Override
    LockBackend connect(RedisSettings settings, BackendOptions options) {
      return connect(server.port(), settings, options);
    }

    private LockBackend connect(int port, RedisSettings settings, BackendOptions options) {
      LockBackend backend = namespace().backend(namespace().uri(port), settings, options);
      return lossy ? backend : namespace().ofOldServer(backend);
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
      return namespace().uri(port) + "&restartGuard=off";
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
  }
}
