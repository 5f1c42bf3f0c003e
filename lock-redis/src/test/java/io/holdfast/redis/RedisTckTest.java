package io.holdfast.redis;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.RespFraming;
import io.holdfast.tck.store.NetworkControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.TckStore;
import java.util.Optional;

/** The whole kit on a Redis server, each test under a prefix of its own. */
class RedisTckTest extends RedisServerTck {

  @Override
  protected TckStore openStore() {
    // A test before may have restored the server in such a way that a restart loses something.
    server.command("CONFIG", "SET", "appendfsync", "always");
    return new ServerStore();
  }

  private static final class ServerStore extends LosingStore
      implements RestartControl, NetworkControl {

    @Override
    LockBackend connect(RedisSettings settings, BackendOptions options) {
      return connect(server.port(), settings, options);
    }

    private LockBackend connect(int port, RedisSettings settings, BackendOptions options) {
      LockBackend backend = namespace().backend(namespace().uri(port), settings, options);
      return asOldAsItIs(backend);
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
  }
}
