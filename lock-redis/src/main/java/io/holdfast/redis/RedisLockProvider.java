package io.holdfast.redis;

import io.holdfast.record.Retirement;
import io.holdfast.redis.connection.RedisUri;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import java.util.List;

/**
 * Accepts {@code redis://HOST} for a single server, {@code redis-sentinel://HOST,HOST/MASTER} for a
 * server that Sentinels watch, and {@code redis-cluster://HOST,HOST} for a cluster. Each of them
 * uses TLS if it begins with {@code rediss}.
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
    return RedisUri.accepts(uri);
  }

  @Override
  public Retirement retire(String uri, Deadline deadline) {
    return Retirements.retire(RedisUri.of(uri), deadline);
  }

  @Override
  public LockBackend connect(String uri, BackendOptions options, Deadline deadline) {
    return RedisLockBackend.connect(RedisUri.of(uri), RedisSettings.standard(), options, deadline);
  }
}
