package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/**
 * Spring Integration's registry of locks in Redis.
 *
 * @param host the server's host
 * @param port its port
 */
record SpringRedisPeer(String host, int port) implements Peer {

  @Override
  public String name() {
    return "Spring RedisLockRegistry";
  }

  @Override
  public String settings() {
    return "its defaults (TTL 60 s, not renewed, spin lock), lock() and unlock(),"
        + " LettuceConnectionFactory with its defaults (one connection for all threads)";
  }

  @Override
  public OpenContender open(int threads) {
    LettuceConnectionFactory connections = new LettuceConnectionFactory(host, port);
    connections.afterPropertiesSet();
    connections.start();
    RedisLockRegistry registry = new RedisLockRegistry(connections, "spring");
    return new OpenContender() {
      @Override
      public LockPair pair(String name) {
        return () -> JavaLock.takeAndGiveBack(registry.obtain(name));
      }

      @Override
      public void close() {
        registry.destroy();
        connections.destroy();
      }
    };
  }
}
