package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.session.Session.Keeping;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.EndIf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The end of one session when its client closes, or its process exits. */
public record Farewell(Core core, Session session, LastCalls calls) {

  /**
   * Ends the session, which is one call however much it holds and leaves nothing held; then
   * releases its grants and requests, so that waiters are granted at once. Complete when the store
   * has answered everything.
   *
   * <p>A grant that is to stay for its least time, or that has a lock-delay, is released before the
   * session ends: after that it could not stay, or would look like the grant of a holder that died.
   * So is a request with a lock-delay that may yet turn up in the store. It is released once more
   * after the end, which refuses all later copies of it.
   */
  @GuardedBy("turn.lock")
  public CompletableFuture<Boolean> giveBackAll(Turn turn) {
    List<Departure> departures = new ArrayList<>();
    for (SessionHold hold : session.requests.holds.values()) {
      departures.add(hold.departure(turn));
      hold.closedByClient(turn);
    }
    departures.addAll(session.beingWithdrawn(turn));
    List<Departure> mayTurnUp = session.takeDelayed(turn);
    departures.addAll(mayTurnUp);
    boolean isReleasedFirst =
        departures.stream().anyMatch(Departure::isBeforeEndOfSession)
            || session.requests.pending.values().stream()
                .anyMatch(request -> request.departure().isBeforeEndOfSession());
    session.leave(Keeping.CLOSED, turn);
    if (isReleasedFirst) {
      return releaseWhenSettled(departures, turn)
          .thenCompose(released -> endInTurn())
          .thenCompose(ended -> releaseInTurn(mayTurnUp).thenApply(released -> ended));
    }
    // Grabs whose answers are not here yet: they have come before the end of the session, and are
    // released after it, or they come after it and are refused.
    session.requests.pending.values().forEach(request -> departures.add(request.departure()));
    return end(turn)
        .thenCompose(
            ended ->
                ended && takesAllWithIt()
                    ? CompletableFuture.completedFuture(true)
                    : releaseInTurn(departures));
  }

  @GuardedBy("turn.lock")
  private CompletableFuture<Boolean> end(Turn turn) {
    return calls.makeAsHeartbeat(
        (store, deadline) -> store.end(session.id, EndIf.CLOSED, deadline), turn);
  }

  private CompletableFuture<Boolean> endInTurn() {
    CompletableFuture<Boolean> ended;
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      ended = end(turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    return ended;
  }

  /**
   * The process exits, but keeps what its threads hold: complete when the store has answered for
   * all requests that are being withdrawn, and for all that are kept for threads to come.
   */
  @GuardedBy("turn.lock")
  public CompletableFuture<Boolean> withdrawAll(Turn turn) {
    List<Departure> departures = new ArrayList<>(session.beingWithdrawn(turn));
    departures.addAll(session.takeDelayed(turn));
    for (SessionHold hold : session.requests.holds.values()) {
      if (hold.isInUse(turn)) {
        hold.retire(turn); // It is not kept when its thread gives it back.
      } else {
        departures.add(hold.departure(turn));
        hold.closedByClient(turn);
      }
    }
    return releaseWhenSettled(departures, turn);
  }

  /**
   * The session keeps its grants. Complete when the store has answered for all requests that are
   * being withdrawn: with whether the session may be resumed. A downgrade that was not answered may
   * come later, and let others share a lock that the next life takes for its own alone.
   */
  @GuardedBy("turn.lock")
  public CompletableFuture<Boolean> orphan(Turn turn) {
    List<Departure> departures = new ArrayList<>(session.beingWithdrawn(turn));
    boolean isSettled = true;
    for (SessionHold hold : session.requests.holds.values()) {
      isSettled &= hold.isSettled(turn);
      Departure departure = hold.departure(turn);
      if (!hold.orphan(turn)) {
        departures.add(departure);
      }
    }
    session.leave(Keeping.ORPHANED, turn);
    boolean mayBeResumed = isSettled;
    return releaseWhenSettled(departures, turn).thenApply(released -> released && mayBeResumed);
  }

  /**
   * A grab whose answer is not here yet may be granted still, and no thread wants it. It is
   * released when it is answered, and holds up none of the other releases.
   */
  @GuardedBy("turn.lock")
  private CompletableFuture<Boolean> releaseWhenSettled(List<Departure> departures, Turn turn) {
    CompletableFuture<Boolean> released = release(departures, turn);
    if (session.requests.pending.isEmpty()) {
      return released;
    }
    List<Departure> pending =
        session.requests.pending.values().stream().map(SessionRequest::departure).toList();
    return session
        .settled(turn)
        .thenCompose(settled -> releaseInTurn(pending))
        .thenCombine(released, Boolean::logicalAnd);
  }

  /** Whether the requests of a session that ends leave their queues with it. */
  private boolean takesAllWithIt() {
    return core.backend.capabilities().expiry() == Expiry.BY_STORE;
  }

  private CompletableFuture<Boolean> releaseInTurn(List<Departure> departures) {
    CompletableFuture<Boolean> released;
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      released = release(departures, turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    return released;
  }

  @GuardedBy("turn.lock")
  private CompletableFuture<Boolean> release(List<Departure> departures, Turn turn) {
    List<CompletableFuture<Boolean>> released = new ArrayList<>();
    for (Departure departure : departures) {
      released.add(
          departure.isBeforeEndOfSession()
              ? calls.makeUntilTimeout(departure::send, turn)
              : calls.make(departure::send, turn));
    }
    return CompletableFuture.allOf(released.toArray(CompletableFuture<?>[]::new))
        .thenApply(all -> released.stream().allMatch(CompletableFuture::join));
  }
}
