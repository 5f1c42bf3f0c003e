package io.holdfast.redis;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import java.util.List;

/**
 * Takes {@code redis://HOST}, a server; {@code redis-sentinel://HOST,HOST/MASTER}, a server that
 * Sentinels know; {@code redis-cluster://HOST,HOST}; and each with {@code rediss} for TLS.
 */
public final class RedisLockProvider implements LockProvider {

  /** Found by {@link java.util.ServiceLoader}. */
  public RedisLockProvider() {}

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public List<String> uriForms() {
    return RedisUri.forms();
  }

  @Override
  public boolean accepts(String uri) {
    return RedisUri.isOne(uri);
  }

  @Override
  public LockBackend connect(String uri, BackendOptions options, Deadline deadline) {
    return RedisLockBackend.connect(RedisUri.of(uri), RedisSettings.standard(), options, deadline);
  }
}
