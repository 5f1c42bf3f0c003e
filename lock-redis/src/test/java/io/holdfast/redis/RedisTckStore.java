package io.holdfast.redis;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import java.time.Duration;

/** A namespace for the kit: what all ways to Redis have in common. */
abstract class RedisTckStore implements TckStore, StepControl, ClockControl {

  private final RedisNamespace namespace;

  RedisTckStore(RedisNamespace namespace) {
    this.namespace = namespace;
  }

  final RedisNamespace namespace() {
    return namespace;
  }

  abstract LockBackend connect(RedisSettings settings, BackendOptions options);

  @Override
  public LockBackend connect(BackendOptions options) {
    return connect(RedisSettings.standard(), options);
  }

  @Override
  public LockBackend connect(BackendOptions options, Runnable beforeStep) {
    return connect(RedisSettings.standard().beforeScript(beforeStep), options);
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
