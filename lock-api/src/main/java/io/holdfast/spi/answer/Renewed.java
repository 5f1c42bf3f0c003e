package io.holdfast.spi.answer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The answer to a renewal. */
public sealed interface Renewed {

  /**
   * The session lives for another TTL.
   *
   * @param ttl the granted TTL, which may differ from the one before
   * @param notices all notices that have not been acknowledged
   * @param storeTime the store's clock at this moment; empty if the store does not tell it
   */
  record Alive(Duration ttl, List<Notice> notices, Optional<Instant> storeTime) implements Renewed {

    /** Copies the list. */
    public Alive {
      notices = List.copyOf(notices);
    }
  }

  /** The session is over, for good. */
  record Over() implements Renewed {}
}
