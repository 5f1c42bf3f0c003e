package io.holdfast.redis;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.server.RedisServer;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.TckStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import redis.clients.jedis.JedisPooled;

/**
 * The kit over the application's client. Without the rules about processes, which connect by a URI;
 * about networks, where it is the application's timeouts that end a call; and about restarts that
 * lose nothing, as over this client every restart is taken for one that may.
 */
@Tag("server")
class GivenClientTckTest extends HoldfastTck {

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
    return new GivenStore(RedisNamespace.on(server));
  }

  private static final class GivenStore extends RedisTckStore implements FailOverControl {

    private final List<JedisPooled> clients = new ArrayList<>();
    private boolean lossy;

    GivenStore(RedisNamespace namespace) {
      super(namespace);
    }

    @Override
    LockBackend connect(RedisSettings settings, BackendOptions options) {
      JedisPooled jedis = new JedisPooled("127.0.0.1", server.port());
      synchronized (clients) {
        clients.add(jedis);
      }
      LockBackend backend =
          RedisLockBackend.over(
              jedis,
              new RedisNames(namespace().prefix()),
              settings,
              options,
              RedisNamespace.soon());
      return lossy ? backend : namespace().ofOldServer(backend);
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

    @Override
    public void close() {
      super.close();
      clients.forEach(JedisPooled::close);
    }
  }
}
