package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.LockPair;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * Takes a lock of ShedLock and gives it back, as its executor does around a task.
 *
 * @param provider where the locks lie
 * @param name the lock
 */
record ShedLockPair(LockProvider provider, String name) implements LockPair {

  /** For the settings of each provider. */
  static final String SETTINGS = "lock() and unlock(), lockAtMostFor 60 s, lockAtLeastFor 0";

  private static final Duration AT_MOST = Duration.ofSeconds(60);

  @Override
  public void takeAndGiveBack() {
    LockConfiguration configuration =
        new LockConfiguration(Instant.now(), name, AT_MOST, Duration.ZERO);
    SimpleLock lock =
        provider
            .lock(configuration)
            .orElseThrow(() -> new IllegalStateException("The lock is held."));
    lock.unlock();
  }
}
