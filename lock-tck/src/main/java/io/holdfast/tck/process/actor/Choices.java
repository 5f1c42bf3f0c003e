package io.holdfast.tck.process.actor;

import io.holdfast.LockMode;
import io.holdfast.ReleaseOutcome;
import io.holdfast.tck.history.Wanted;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** A worker's wishes, at random. */
final class Choices {

  /** A run lasts longer by each stay, so few grants stay once the worker has seen one that did. */
  private static final int FIRST_STAY_IN = 4;

  private static final int NEXT_STAY_IN = 40;

  /** Until the worker has seen one that ended in time, many grants have a longest time. */
  private static final int FIRST_END_IN = 2;

  private static final int NEXT_END_IN = 8;

  /** Short, so that its end comes while the lock is held. */
  private static final int LONGEST_TIME_MAX_MILLIS = 10;

  private final WorkloadSpec spec;
  private final Random random;
  private boolean sawStay;
  private boolean sawEnd;

  Choices(WorkloadSpec spec, Random random) {
    this.spec = spec;
    this.random = random;
  }

  Optional<Duration> maxWait() {
    int choice = random.nextInt(100);
    if (choice < 15) {
      return Optional.of(Duration.ZERO);
    } else if (choice < 50) {
      return Optional.of(Duration.ofMillis(1 + random.nextInt(20)));
    } else if (choice < 80) {
      return Optional.of(Duration.ofMillis(500 + random.nextInt(1_500)));
    }
    return Optional.empty();
  }

  Wanted wanted() {
    Wanted wanted = wantedAtLast();
    if (!spec.atLeast().isZero() && oneIn(sawStay ? NEXT_STAY_IN : FIRST_STAY_IN)) {
      int fourths = 1 + random.nextInt(4);
      return wanted.atLeast(spec.atLeast().multipliedBy(fourths).dividedBy(4));
    }
    // Not beside a lock-delay: of a process that is killed it would not be known whether it had
    // given the lock back then.
    return wanted.lockDelay().isZero() && oneIn(sawEnd ? NEXT_END_IN : FIRST_END_IN)
        ? wanted.atMost(longestTime())
        : wanted;
  }

  Duration longestTime() {
    return Duration.ofMillis(1 + random.nextInt(LONGEST_TIME_MAX_MILLIS));
  }

  /** Whether the end of its longest time is moved now. */
  boolean movesItsEnd(Wanted wanted) {
    return wanted.atMost().isPresent() && oneIn(3);
  }

  /**
   * For how long a grant is held when all is done with it, so that its end is seen to come: not at
   * all, once the worker has seen one.
   */
  Duration afterItsEnd(Wanted wanted) {
    return sawEnd || wanted.atMost().isEmpty()
        ? Duration.ZERO
        : Duration.ofMillis(LONGEST_TIME_MAX_MILLIS);
  }

  /** Without anything that others would have to wait for when the run is over. */
  Wanted wantedAtLast() {
    Wanted wanted = Wanted.of(hasShared() && oneIn(3) ? LockMode.SHARED : LockMode.EXCLUSIVE);
    return !spec.lockDelay().isZero() && oneIn(3) ? wanted.lockDelay(spec.lockDelay()) : wanted;
  }

  /**
   * Whether a grant is downgraded. One with a lock-delay is not: of a process that is killed
   * meanwhile the mode in which its lock stays taken would not be known.
   */
  boolean downgrades(Wanted wanted) {
    return hasShared()
        && wanted.mode() == LockMode.EXCLUSIVE
        && wanted.lockDelay().isZero()
        && oneIn(4);
  }

  void released(ReleaseOutcome outcome) {
    sawStay |= outcome == ReleaseOutcome.STAYS;
    sawEnd |= outcome == ReleaseOutcome.LOST;
  }

  private boolean hasShared() {
    return spec.modes().contains(LockMode.SHARED);
  }

  private boolean oneIn(int count) {
    return random.nextInt(count) == 0;
  }
}
