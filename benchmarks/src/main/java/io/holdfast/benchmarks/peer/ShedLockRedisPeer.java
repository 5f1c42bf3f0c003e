package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.JedisPoolConfig;

/**
 * ShedLock in Redis, through the driver that Holdfast and the limit use.
 *
 * @param host the server's host
 * @param port its port
 */
record ShedLockRedisPeer(String host, int port) implements Peer {

  @Override
  public String name() {
    return "ShedLock Redis";
  }

  @Override
  public boolean waitsForLocks() {
    return false;
  }

  @Override
  public String settings() {
    return ShedLockPair.SETTINGS
        + ", RedisLockProvider on a JedisConnectionFactory, pool of as many connections as threads";
  }

  @Override
  public OpenContender open(int threads) {
    JedisConnectionFactory connections =
        new JedisConnectionFactory(
            new RedisStandaloneConfiguration(host, port),
            JedisClientConfiguration.builder().usePooling().poolConfig(pool(threads)).build());
    connections.afterPropertiesSet();
    connections.start();
    LockProvider provider = new RedisLockProvider(connections);
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) {
        return new ShedLockPair(provider, lock);
      }

      @Override
      public void close() {
        connections.destroy();
      }
    };
  }

  private static JedisPoolConfig pool(int threads) {
    JedisPoolConfig pool = new JedisPoolConfig();
    pool.setMaxTotal(threads);
    pool.setMaxIdle(threads);
    return pool;
  }
}
