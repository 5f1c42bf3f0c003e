package io.holdfast.record;

import io.holdfast.AcquireOptions;
import java.time.Duration;

/**
 * A time for which a request keeps its lock although no session needs to live for it, or after
 * which it may be removed although its session lives. A request has at most one.
 *
 * @param reason what the stay is for
 * @param left how long it lasts, by the store's clock when it answered; zero if it is over
 */
public record Stay(Reason reason, Duration left) {

  /** The purpose of a stay. */
  public enum Reason {
    /** The request was revoked: its holder has this time to stop. */
    REVOKED,
    /**
     * The holder's session ended uncleanly, and the request had asked for a {@linkplain
     * AcquireOptions#lockDelay lock-delay}.
     */
    LOCK_DELAY,
    /** The lock was given back before its {@linkplain AcquireOptions#atLeast least time} was up. */
    AT_LEAST
  }
}
