package io.holdfast;

import java.time.Duration;
import java.util.Optional;

/**
 * How a lock is asked for. Immutable: every method returns a changed copy.
 *
 * <pre>{@code
 * lock.acquire(AcquireOptions.within(Duration.ofSeconds(5)).ttl(Duration.ofMinutes(1)).why("nightly"))
 * }</pre>
 *
 * @param patience how long to wait: zero is one attempt, empty is for ever
 * @param ttl the session's TTL; empty for the client's default
 * @param why what the lock is wanted for, for people who look at it; at most {@link #WHY_MAX}
 *     characters
 * @param payload what to publish while holding
 */
public record AcquireOptions(
    Optional<Duration> patience, Optional<Duration> ttl, String why, Payload payload) {

  /** The longest reason, in characters. */
  public static final int WHY_MAX = 512;

  /**
   * Checks the durations and the reason.
   *
   * @throws BadRequestException if the wait is negative, the TTL is not positive, or the reason is
   *     too long or ill-formed
   */
  public AcquireOptions {
    if (patience.isPresent() && patience.get().isNegative()) {
      throw new BadRequestException(
          "A wait must not be negative: %s. Zero is one attempt; for ever is AcquireOptions.forever()."
              .formatted(patience.get()));
    }
    if (ttl.isPresent() && (ttl.get().isNegative() || ttl.get().isZero())) {
      throw new BadRequestException("A TTL must be positive, not %s.".formatted(ttl.get()));
    }
    LockName.utf8("A reason", why);
    if (why.length() > WHY_MAX) {
      throw new BadRequestException(
          "A reason may have at most %d characters; this one has %d."
              .formatted(WHY_MAX, why.length()));
    }
  }

  /** One attempt without waiting. */
  public static AcquireOptions once() {
    return within(Duration.ZERO);
  }

  /** Waits for up to a time; zero is one attempt. */
  public static AcquireOptions within(Duration wait) {
    return new AcquireOptions(Optional.of(wait), Optional.empty(), "", Payload.EMPTY);
  }

  /** Waits until the lock is had, the thread is interrupted, or the client is closed. */
  public static AcquireOptions forever() {
    return new AcquireOptions(Optional.empty(), Optional.empty(), "", Payload.EMPTY);
  }

  /** With a TTL other than the client's default; at most eight distinct ones per client. */
  public AcquireOptions ttl(Duration ttl) {
    return new AcquireOptions(patience, Optional.of(ttl), why, payload);
  }

  /** With a reason that people see who look at the lock. */
  public AcquireOptions why(String why) {
    return new AcquireOptions(patience, ttl, why, payload);
  }

  /** With something to publish while holding. */
  public AcquireOptions payload(Payload payload) {
    return new AcquireOptions(patience, ttl, why, payload);
  }
}
