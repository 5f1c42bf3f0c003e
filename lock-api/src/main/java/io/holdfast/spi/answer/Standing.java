package io.holdfast.spi.answer;

import io.holdfast.LockMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The position of a request in its lock's queue. */
public sealed interface Standing {

  /**
   * The request holds the lock.
   *
   * @param number the number of the grant
   * @param since when it became the head, by the store's clock
   * @param contention whether other requests wait behind it
   * @param mode how it holds
   */
  record Holding(long number, Instant since, Contention contention, LockMode mode)
      implements Standing {
    /** The standing of a request that holds in exclusive mode. */
    public Holding(long number, Instant since, Contention contention) {
      this(number, since, contention, LockMode.EXCLUSIVE);
    }
  }

  /**
   * The request waits.
   *
   * @param ahead how many requests are ahead of it, where all that hold count as one; at least 1.
   *     The first that waits polls briskly, for any number of holders. An adapter that wakes
   *     waiters by hints may count each holder, and may answer what it saw when it last read the
   *     whole queue, which is never too few, since no request comes in ahead of another
   * @param obstacles the requests ahead of it that do not count any more or are doubtful, the
   *     nearest to the head first; the list may be incomplete at its end
   * @param nextDue the time until the request directly ahead may be removed if its session is not
   *     renewed, because the session will have lapsed or because the request will have been revoked
   *     a whole TTL ago, whichever comes first. Judged by the store's clock when it answered; it
   *     may be too long but not too short. The waiter looks again when this time is over, at the
   *     latest. Empty if the request directly ahead is an obstacle already, or if the store ends
   *     sessions by itself and sends a hint when it does
   */
  record Waiting(int ahead, List<Obstacle> obstacles, Optional<Duration> nextDue)
      implements Standing {

    /** Copies the list. */
    public Waiting {
      obstacles = List.copyOf(obstacles);
    }
  }

  /** The request is not in the queue, or its own session is over so that it has no effect. */
  record Absent() implements Standing {}
}
