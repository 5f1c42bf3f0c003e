package io.holdfast.cli.commands;

import io.holdfast.AcquireOptions;
import io.holdfast.cli.waiting.Wait;
import io.holdfast.error.BadRequestException;
import java.time.Duration;
import java.util.Optional;

/**
 * The times of the lock and the command that {@code run} was asked for.
 *
 * @param atLeast how long the lock is taken at least; empty for no longer than the command runs
 * @param atMost how long the command may run; empty for as long as it likes
 * @param lockDelay how long the lock stays taken if this process dies; empty for no longer than its
 *     lease
 */
record RunTimes(
    Optional<Duration> atLeast, Optional<Duration> atMost, Optional<Duration> lockDelay) {

  static final Duration GREATEST_AT_MOST = Duration.ofDays(365);

  /**
   * Checks what no store is needed for.
   *
   * @throws BadRequestException if a time is not positive, too long, or contradicts another
   */
  RunTimes {
    requireWithin("--at-least", atLeast, AcquireOptions.STAY_MAX);
    requireWithin("--at-most", atMost, GREATEST_AT_MOST);
    requireWithin("--lock-delay", lockDelay, AcquireOptions.STAY_MAX);
    if (atLeast.isPresent()
        && atMost.filter(most -> most.compareTo(atLeast.get()) < 0).isPresent()) {
      throw new BadRequestException("--at-least must not be longer than --at-most");
    }
  }

  static void requireWithin(String option, Optional<Duration> asked, Duration greatest) {
    if (asked.isEmpty()) {
      return;
    }
    Duration time = asked.get();
    if (time.isZero() || time.isNegative() || time.compareTo(greatest) > 0) {
      throw new BadRequestException(
          "%s must be longer than 0s and at most %sd".formatted(option, greatest.toDays()));
    }
  }

  /**
   * How long to wait for the lock unless the user says so. A job that another process has begun
   * within its least time is done: to wait for the end of that time would run it again.
   */
  Wait usualWait() {
    return atLeast.isPresent() ? Wait.NOT_AT_ALL : Wait.FOREVER;
  }

  /** Returns the options with what the store is asked for. */
  AcquireOptions addTo(AcquireOptions options) {
    return options
        .atLeast(atLeast.orElse(Duration.ZERO))
        .lockDelay(lockDelay.orElse(Duration.ZERO));
  }
}
