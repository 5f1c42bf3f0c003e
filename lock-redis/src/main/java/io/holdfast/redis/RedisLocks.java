package io.holdfast.redis;

import io.holdfast.redis.script.KeyNames;
import io.holdfast.spi.BackendFactory;
import redis.clients.jedis.UnifiedJedis;

/**
 * Keeps locks in Redis through a jedis client that the application already has.
 *
 * <pre>{@code
 * LockClient locks = Holdfast.builder().connect(RedisLocks.on(jedis));
 * }</pre>
 *
 * <p>Closing the lock client does not close the jedis client. The jedis client must have a pool
 * with a free connection for heartbeats while the application uses others, and timeouts below a
 * quarter of the shortest TTL, because a delayed connection delays heartbeats. While requests wait,
 * one connection is used for hints. The option {@code waitReplicas} needs our own connections, so
 * it is only available in a URI.
 */
public final class RedisLocks {

  private RedisLocks() {}

  /** Keeps locks in the default namespace, which has the prefix {@code holdfast}. */
  public static BackendFactory on(UnifiedJedis jedis) {
    return on(jedis, KeyNames.PREFIX_DEFAULT);
  }

  /**
   * Keeps locks in a namespace.
   *
   * @param prefix the beginning of all keys; each prefix is a namespace of its own
   * @throws io.holdfast.error.BadRequestException if the prefix is malformed
   */
  public static BackendFactory on(UnifiedJedis jedis, String prefix) {
    KeyNames names = new KeyNames(prefix);
    return (options, deadline) ->
        RedisLockBackend.over(jedis, names, RedisSettings.standard(), options, deadline);
  }
}
