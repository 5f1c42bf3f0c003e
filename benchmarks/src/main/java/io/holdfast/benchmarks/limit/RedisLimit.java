package io.holdfast.benchmarks.limit;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.params.SetParams;

/**
 * SET with NX and PX, and DEL, with Jedis and a connection for each thread.
 *
 * @param host the server's host
 * @param port its port
 */
public record RedisLimit(String host, int port) implements Contender {

  @Override
  public String name() {
    return "SET NX PX, DEL";
  }

  @Override
  public Role role() {
    return Role.LIMIT;
  }

  @Override
  public String settings() {
    return "Jedis, pool of as many connections as threads";
  }

  @Override
  public OpenContender open(int threads) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(threads);
    pool.setMaxIdle(threads);
    JedisPooled jedis = new JedisPooled(pool, host, port);
    SetParams ifFree = SetParams.setParams().nx().px(15_000);
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) {
        String key = "limit:" + lock;
        return () -> {
          if (jedis.set(key, "owner", ifFree) == null) {
            throw new IllegalStateException("The key is there.");
          }
          jedis.del(key);
        };
      }

      @Override
      public void close() {
        jedis.close();
      }
    };
  }
}
