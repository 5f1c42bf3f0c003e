package io.holdfast.redis;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import java.time.Duration;
import redis.clients.jedis.UnifiedJedis;

/**
 * Locks over a jedis client that the application already has.
 *
 * <pre>{@code
 * LockClient locks = Holdfast.builder().connect(RedisLocks.over(jedis));
 * }</pre>
 *
 * <p>The client is never closed here. It must have a pool from which a connection can be had while
 * the application uses others, and timeouts below a quarter of the shortest TTL: what holds up its
 * connections holds up heartbeats. One connection is used for hints as long as somebody waits. The
 * option {@code waitReplicas} needs connections of ours, so it is only there in a URI.
 */
public final class RedisLocks {

  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);

  private RedisLocks() {}

  /**
   * Makes a backend in the usual namespace.
   *
   * @throws io.holdfast.BackendUnusableException if locks cannot be kept there
   * @throws io.holdfast.spi.BackendFailure if the server does not answer
   */
  public static LockBackend over(UnifiedJedis jedis) {
    return over(jedis, RedisNames.PREFIX_DEFAULT, BackendOptions.DEFAULTS);
  }

  /**
   * Makes a backend.
   *
   * @param prefix with which all keys begin; one prefix is one namespace
   * @param options what this client demands of the namespace
   * @throws io.holdfast.BadRequestException if the prefix is not one, or a setting differs
   * @throws io.holdfast.BackendUnusableException if locks cannot be kept there
   * @throws io.holdfast.spi.BackendFailure if the server does not answer
   */
  public static LockBackend over(UnifiedJedis jedis, String prefix, BackendOptions options) {
    return RedisLockBackend.over(
        jedis,
        new RedisNames(prefix),
        RedisSettings.standard(),
        options,
        Deadline.in(CONNECT_WITHIN));
  }
}
