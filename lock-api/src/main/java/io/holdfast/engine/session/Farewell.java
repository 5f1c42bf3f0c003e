package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.session.Session.Keeping;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.RequestKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What becomes of one session when its client closes, or its process exits. */
public record Farewell(Core core, Session session) {

  /**
   * Ends the session, which is one call however much it holds and leaves nothing held; then
   * releases its grants and requests, so that waiters are granted at once. Complete when the store
   * has answered everything.
   */
  @GuardedBy("turn.lock")
  public CompletableFuture<Boolean> giveBackAll(Turn turn) {
    List<RequestKey> keys = new ArrayList<>();
    for (SessionHold hold : session.requests.holds.values()) {
      hold.closedByClient(turn);
      keys.add(hold.key());
    }
    keys.addAll(session.beingWithdrawn(turn));
    // Grabs whose answers are not here yet: they have come before the end of the session, and are
    // released after it, or they come after it and are refused.
    session.requests.pending.values().forEach(request -> keys.add(request.key()));
    session.leave(Keeping.CLOSED, turn);
    LastCall end = new LastCall((store, deadline) -> store.end(session.id, EndIf.CLOSED, deadline));
    end.attempt(turn);
    return end.answered.thenCompose(
        ended ->
            ended && takesAllWithIt() ? CompletableFuture.completedFuture(true) : release(keys));
  }

  /**
   * The process exits, but keeps what its threads hold: complete when the store has answered
   * whatever is being withdrawn, and whatever is kept for threads to come.
   */
  @GuardedBy("turn.lock")
  public CompletableFuture<Boolean> withdrawAll(Turn turn) {
    List<RequestKey> keys = new ArrayList<>(session.beingWithdrawn(turn));
    for (SessionHold hold : session.requests.holds.values()) {
      if (hold.isInUse(turn)) {
        hold.retire(turn); // It is not kept when its thread gives it back.
      } else {
        hold.closedByClient(turn);
        keys.add(hold.key());
      }
    }
    return releaseWhenSettled(keys, turn);
  }

  /**
   * The session keeps its grants. Complete when the store has answered whatever is being withdrawn.
   */
  @GuardedBy("turn.lock")
  public CompletableFuture<Boolean> orphan(Turn turn) {
    List<RequestKey> keys = new ArrayList<>(session.beingWithdrawn(turn));
    for (SessionHold hold : session.requests.holds.values()) {
      if (!hold.orphan(turn)) {
        keys.add(hold.key());
      }
    }
    session.leave(Keeping.ORPHANED, turn);
    return releaseWhenSettled(keys, turn);
  }

  /** A grab whose answer is not here yet may be granted still, and has no owner. */
  @GuardedBy("turn.lock")
  private CompletableFuture<Boolean> releaseWhenSettled(List<RequestKey> keys, Turn turn) {
    session.requests.pending.values().forEach(request -> keys.add(request.key()));
    if (session.requests.pending.isEmpty()) {
      return release(keys, turn);
    }
    return session.settled(turn).thenCompose(settled -> release(keys));
  }

  /** Whether the requests of a session that ends leave their queues with it. */
  private boolean takesAllWithIt() {
    return core.backend.capabilities().expiry() == Expiry.BY_STORE;
  }

  private CompletableFuture<Boolean> release(List<RequestKey> keys) {
    CompletableFuture<Boolean> released;
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      released = release(keys, turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    return released;
  }

  @GuardedBy("turn.lock")
  private CompletableFuture<Boolean> release(List<RequestKey> keys, Turn turn) {
    List<CompletableFuture<Boolean>> released = new ArrayList<>();
    for (RequestKey key : keys) {
      LastCall release =
          new LastCall((store, deadline) -> store.release(key.name(), key.request(), deadline));
      release.attempt(turn);
      released.add(release.answered);
    }
    return CompletableFuture.allOf(released.toArray(CompletableFuture<?>[]::new))
        .thenApply(all -> released.stream().allMatch(CompletableFuture::join));
  }
}
