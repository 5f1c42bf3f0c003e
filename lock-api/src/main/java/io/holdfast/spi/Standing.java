package io.holdfast.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How a request stands. */
public sealed interface Standing {

  /**
   * It is the head of the queue.
   *
   * @param number the number of the grant
   * @param since when it became the head, by the store's clock
   * @param contention whether others wait behind it
   */
  record Holding(long number, Instant since, Contention contention) implements Standing {}

  /**
   * It waits.
   *
   * @param ahead how many requests stand before it, the holder's included; at least 1
   * @param obstacles those before it that do not count any more or are doubtful, first the nearest
   *     to the head; the list may be cut off
   * @param nextDue how long until the request directly before it may be removed if nobody renews
   *     its session: because that has lapsed or because it was revoked a whole TTL ago, whichever
   *     comes first. By the store's clock at its answer, and rather too long than too short: the
   *     waiter looks again then at the latest. Empty if it is an obstacle already, or if the store
   *     ends sessions by itself and sends a hint when it does
   */
  record Waiting(int ahead, List<Obstacle> obstacles, Optional<Duration> nextDue)
      implements Standing {

    /** Copies the list. */
    public Waiting {
      obstacles = List.copyOf(obstacles);
    }
  }

  /** It is not in the queue, or its own session is over and it counts for nothing. */
  record Absent() implements Standing {}
}
