package io.holdfast.redis;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.store.TckStore;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.JedisPooled;

/**
 * The kit over the application's client. Without the rules about processes, which connect by a URI;
 * about networks, where it is the application's timeouts that end a call; and about restarts that
 * lose nothing, as over this client every restart is taken for one that may.
 */
class GivenClientTckTest extends RedisServerTck {

  @Override
  protected TckStore openStore() {
    return new GivenStore();
  }

  private static final class GivenStore extends LosingStore {

    private final List<JedisPooled> clients = new ArrayList<>();

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
      return asOldAsItIs(backend);
    }

    @Override
    public void close() {
      super.close();
      clients.forEach(JedisPooled::close);
    }
  }
}
