package io.holdfast.zookeeper.session;

import io.holdfast.LockMode;
import io.holdfast.record.RequestId;
import io.holdfast.zookeeper.layout.RequestCreation;
import io.holdfast.zookeeper.layout.RequestNode;
import java.util.List;
import java.util.Optional;

/**
 * The remembered position of a request in its queue. No request can join ahead of it. So what was
 * not ahead of it when its queue was last read never will be.
 */
public sealed interface RememberedPosition {

  RequestCreation creation();

  default RequestId request() {
    return creation().place().request();
  }

  /** Returns the version of its node, unless others have written to that. */
  int version();

  /**
   * It holds the lock, and does so for as long as its node exists.
   *
   * @param mode in which it holds
   * @param companion one that shared the lock with it before; empty if none did, or it is not known
   * @param waiter one that waited behind it; empty if none did, or it is not known
   */
  record Holding(
      RequestCreation creation,
      LockMode mode,
      int version,
      Optional<RequestNode> companion,
      Optional<RequestNode> waiter)
      implements RememberedPosition {

    /** The position of a request that holds in the mode that it has asked for. */
    public static Holding asAsked(RequestCreation creation) {
      return new Holding(creation, creation.place().asked(), 0, Optional.empty(), Optional.empty());
    }

    /** Returns the same position, as its node tells now. */
    public Holding as(LockMode presentMode, int presentVersion) {
      return new Holding(creation, presentMode, presentVersion, companion, waiter);
    }

    /** Returns the same position with another one that waits behind it. */
    public Holding aheadOf(Optional<RequestNode> waits) {
      return new Holding(creation, mode, version, companion, waits);
    }
  }

  /**
   * It waits, and does so for as long as a certain request is ahead of it and is not downgraded.
   *
   * @param requestsAhead how many were ahead of it
   * @param first the first of the queue
   * @param nearest as long as that one is ahead, this one waits: for an exclusive request the one
   *     directly ahead, for a shared one the last exclusive one ahead
   * @param next whether it holds when the nearest has left: no other request keeps it out
   * @param barrier of an exclusive request directly behind a shared one: the last exclusive one
   *     ahead of both, behind which they wait together; empty if there is none
   * @param run those ahead of an exclusive request if they hold the lock together; else empty
   */
  record Waiting(
      RequestCreation creation,
      int requestsAhead,
      RequestNode first,
      RequestNode nearest,
      boolean next,
      Optional<RequestNode> barrier,
      List<RequestNode> run)
      implements RememberedPosition {

    /** No client writes to the node of a request before it holds. */
    @Override
    public int version() {
      return 0;
    }

    /** Returns the position that it has once the nearest, the only one in its way, has left. */
    public Holding handedOver() {
      return Holding.asAsked(creation);
    }

    /** Returns the same position with the run in another order. */
    public Waiting withRun(List<RequestNode> other) {
      return new Waiting(creation, requestsAhead, first, nearest, next, barrier, other);
    }
  }
}
