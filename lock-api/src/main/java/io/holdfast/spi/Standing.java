package io.holdfast.spi;

import java.time.Instant;
import java.util.List;

/** How a request stands. */
public sealed interface Standing {

  /**
   * It is the head of the queue.
   *
   * @param number the number of the grant
   * @param since when it became the head, by the store's clock
   */
  record Holding(long number, Instant since) implements Standing {}

  /**
   * It waits.
   *
   * @param ahead how many requests stand before it, the holder's included; at least 1
   * @param obstacles those before it that do not count any more or are doubtful, first the nearest
   *     to the head; the list may be cut off
   */
  record Waiting(int ahead, List<Obstacle> obstacles) implements Standing {

    /** Copies the list. */
    public Waiting {
      obstacles = List.copyOf(obstacles);
    }
  }

  /** It is not in the queue. */
  record Absent() implements Standing {}
}
