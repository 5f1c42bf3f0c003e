package io.holdfast.redis;

import io.holdfast.spi.BackendFactory;
import redis.clients.jedis.UnifiedJedis;

/**
 * Locks over a jedis client that the application already has.
 *
 * <pre>{@code
 * LockClient locks = Holdfast.builder().connect(RedisLocks.on(jedis));
 * }</pre>
 *
 * <p>The client is never closed here. It must have a pool from which a connection can be had while
 * the application uses others, and timeouts below a quarter of the shortest TTL: what holds up its
 * connections holds up heartbeats. One connection is used for hints as long as somebody waits. The
 * option {@code waitReplicas} needs connections of ours, so it is only there in a URI.
 */
public final class RedisLocks {

  private RedisLocks() {}

  /** Keeps locks in the usual namespace. */
  public static BackendFactory on(UnifiedJedis jedis) {
    return on(jedis, RedisNames.PREFIX_DEFAULT);
  }

  /**
   * Keeps locks in a namespace.
   *
   * @param prefix with which all keys begin; one prefix is one namespace
   * @throws io.holdfast.BadRequestException if the prefix is not one
   */
  public static BackendFactory on(UnifiedJedis jedis, String prefix) {
    RedisNames names = new RedisNames(prefix);
    return (options, deadline) ->
        RedisLockBackend.over(jedis, names, RedisSettings.standard(), options, deadline);
  }
}
