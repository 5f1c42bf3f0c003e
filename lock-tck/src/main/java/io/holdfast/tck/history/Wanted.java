package io.holdfast.tck.history;

import io.holdfast.AcquireOptions;
import io.holdfast.LockMode;
import java.time.Duration;
import java.util.Optional;

/**
 * How a request wants to hold its lock.
 *
 * @param mode in which mode
 * @param atLeast for how long the lock is taken at least; zero for no such time
 * @param lockDelay for how long the lock stays taken if the holder dies; zero for not at all
 * @param atMost for how long it is held at most; empty for no such time
 */
public record Wanted(
    LockMode mode, Duration atLeast, Duration lockDelay, Optional<Duration> atMost) {

  /** The count of words of the text form. */
  public static final int WORDS = 4;

  private static final String NO_LIMIT = "unlimited";

  /** Returns a mode, and no times. */
  public static Wanted of(LockMode mode) {
    return new Wanted(mode, Duration.ZERO, Duration.ZERO, Optional.empty());
  }

  public Wanted atLeast(Duration time) {
    return new Wanted(mode, time, lockDelay, atMost);
  }

  public Wanted lockDelay(Duration time) {
    return new Wanted(mode, atLeast, time, atMost);
  }

  public Wanted atMost(Duration time) {
    return new Wanted(mode, atLeast, lockDelay, Optional.of(time));
  }

  /** Adds this to options. */
  public AcquireOptions addTo(AcquireOptions options) {
    AcquireOptions timed = options.atLeast(atLeast).lockDelay(lockDelay);
    AcquireOptions limited = atMost.map(timed::atMost).orElse(timed);
    return mode == LockMode.SHARED ? limited.shared() : limited;
  }

  /** Reads the text form, which begins at one of some words. */
  public static Wanted parse(String[] words, int first) {
    String limit = words[first + 3];
    return new Wanted(
        LockMode.valueOf(words[first]),
        duration(words[first + 1]),
        duration(words[first + 2]),
        limit.equals(NO_LIMIT) ? Optional.empty() : Optional.of(duration(limit)));
  }

  /** Returns the text form. */
  @Override
  public String toString() {
    return "%s %s %s %s"
        .formatted(
            mode,
            atLeast.toNanos(),
            lockDelay.toNanos(),
            atMost.map(limit -> Long.toString(limit.toNanos())).orElse(NO_LIMIT));
  }

  private static Duration duration(String nanos) {
    return Duration.ofNanos(Long.parseLong(nanos));
  }
}
