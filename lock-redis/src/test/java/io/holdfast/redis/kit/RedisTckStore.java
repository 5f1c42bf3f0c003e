package io.holdfast.redis.kit;

import io.holdfast.redis.RedisNamespace;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import java.time.Duration;

/** A namespace for the kit: what all ways to Redis have in common. */
public abstract class RedisTckStore implements TckStore, StepControl, ClockControl {

  private final RedisNamespace namespace;

  public RedisTckStore(RedisNamespace namespace) {
    this.namespace = namespace;
  }

  public final RedisNamespace namespace() {
    return namespace;
  }

  /** Connects, with something that is done before each script. */
  @Override
  public abstract LockBackend connect(BackendOptions options, Runnable beforeStep);

  @Override
  public LockBackend connect(BackendOptions options) {
    return connect(options, () -> {});
  }

  /** Moves the recorded times the other way, because the server has the machine's clock. */
  @Override
  public void stepClock(Duration by) {
    namespace.moveTimes(by.negated());
  }

  @Override
  public void close() {
    namespace.close();
  }
}
