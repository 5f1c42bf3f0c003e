package io.holdfast;

import java.time.Duration;
import java.util.Optional;

/**
 * The options of one acquire. Immutable: every method returns a changed copy.
 *
 * <pre>{@code
 * lock.acquire(AcquireOptions.within(Duration.ofSeconds(5)).ttl(Duration.ofMinutes(1)).why("nightly"))
 * }</pre>
 *
 * @param maxWait the longest time to wait: zero means one attempt, empty means no limit
 * @param ttl the session's TTL; empty for the client's default
 * @param why the reason for the request, shown to people who inspect the lock; at most {@link
 *     #WHY_MAX} characters
 * @param payload the bytes to publish while the lock is held
 */
public record AcquireOptions(
    Optional<Duration> maxWait, Optional<Duration> ttl, String why, Payload payload) {

  /** The greatest length of a reason, in characters. */
  public static final int WHY_MAX = 512;

  private static final AcquireOptions ONCE = within(Duration.ZERO);
  private static final AcquireOptions FOREVER =
      new AcquireOptions(Optional.empty(), Optional.empty(), "", Payload.EMPTY);

  /**
   * Checks the durations and the reason.
   *
   * @throws BadRequestException if the wait is negative, the TTL is not positive, or the reason is
   *     too long or ill-formed
   */
  public AcquireOptions {
    if (maxWait.isPresent() && maxWait.get().isNegative()) {
      throw new BadRequestException(
          "A wait must not be negative: %s. Use zero for one attempt, or AcquireOptions.forever() to wait without a limit."
              .formatted(maxWait.get()));
    }
    if (ttl.isPresent() && (ttl.get().isNegative() || ttl.get().isZero())) {
      throw new BadRequestException("A TTL must be positive, not %s.".formatted(ttl.get()));
    }
    int unused = LockName.utf8Length("A reason", why);
    if (why.length() > WHY_MAX) {
      throw new BadRequestException(
          "A reason may have at most %d characters; this one has %d."
              .formatted(WHY_MAX, why.length()));
    }
  }

  /** Returns options for one attempt without waiting. */
  public static AcquireOptions once() {
    return ONCE;
  }

  /** Returns options that wait for at most the given time; zero means one attempt. */
  public static AcquireOptions within(Duration wait) {
    return new AcquireOptions(Optional.of(wait), Optional.empty(), "", Payload.EMPTY);
  }

  /**
   * Returns options that wait until the lock is granted, the thread is interrupted, or the client
   * is closed.
   */
  public static AcquireOptions forever() {
    return FOREVER;
  }

  /**
   * Returns a copy with this TTL instead of the client's default. A client can use at most eight
   * distinct TTLs.
   */
  public AcquireOptions ttl(Duration ttl) {
    return new AcquireOptions(maxWait, Optional.of(ttl), why, payload);
  }

  /** Returns a copy with this reason, which is shown to people who inspect the lock. */
  public AcquireOptions why(String why) {
    return new AcquireOptions(maxWait, ttl, why, payload);
  }

  /** Returns a copy with this payload, which is published while the lock is held. */
  public AcquireOptions payload(Payload payload) {
    return new AcquireOptions(maxWait, ttl, why, payload);
  }
}
