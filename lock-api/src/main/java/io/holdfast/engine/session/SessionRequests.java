package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockName;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.LossReason;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The requests that live by one session, from their first grab until they are settled. */
final class SessionRequests {

  /** A request that may yet turn up in the store; then it has such a lock-delay, or zero. */
  record Unsettled(RequestKey key, Duration lockDelay) {

    boolean isDelayed() {
      return !lockDelay.isZero();
    }
  }

  /** So many are told of the end of their session in one turn. */
  private static final int TOLD_AT_ONCE = 1_000;

  /**
   * Requests that were granted and with which the client has not finished. One that was revoked
   * stays here until it is given back.
   */
  final Map<RequestId, SessionHold> holds = new LinkedHashMap<>();

  /** Those of them that go by whether others wait. */
  private final Map<RequestId, SessionHold> byContention = new LinkedHashMap<>();

  /** The same by their locks; several of one lock share it on different terms. */
  private final Map<LockName, List<SessionHold>> byLock = new HashMap<>();

  /** Requests on their way or in a queue. */
  final Map<RequestId, SessionRequest> pending = new LinkedHashMap<>();

  /** Those of them, or of those that were, that were granted while the lease was not in force. */
  private final Set<SessionRequest> awaitingLease = new LinkedHashSet<>();

  /** Requests that were turned away from while a copy may still be on its way to the store. */
  final Map<RequestId, Unsettled> unsettled = new LinkedHashMap<>();

  /** Requests that were revoked before this client heard of their grant. */
  final Set<RequestId> revoked = new HashSet<>();

  @GuardedBy("turn.lock")
  boolean isEmpty(Turn turn) {
    return holds.isEmpty() && pending.isEmpty();
  }

  @GuardedBy("turn.lock")
  void held(SessionHold hold, Turn turn) {
    holds.put(hold.key().request(), hold);
    if (hold.goesByContention()) {
      byContention.put(hold.key().request(), hold);
      List<SessionHold> others = byLock.getOrDefault(hold.key().name(), List.of());
      byLock.put(hold.key().name(), with(others, hold));
    }
  }

  @GuardedBy("turn.lock")
  void heldNoMore(SessionHold hold, Turn turn) {
    holds.remove(hold.key().request());
    if (byContention.remove(hold.key().request()) != null) {
      LockName name = hold.key().name();
      List<SessionHold> others = without(byLock.getOrDefault(name, List.of()), hold);
      if (others.isEmpty()) {
        byLock.remove(name);
      } else {
        byLock.put(name, others);
      }
    }
  }

  private static List<SessionHold> with(List<SessionHold> holds, SessionHold added) {
    return Stream.concat(without(holds, added).stream(), Stream.of(added)).toList();
  }

  private static List<SessionHold> without(List<SessionHold> holds, SessionHold gone) {
    return holds.stream().filter(hold -> !hold.equals(gone)).toList();
  }

  /** Whether a thread has any of the holds. */
  @GuardedBy("turn.lock")
  boolean isAnyInUse(Turn turn) {
    for (SessionHold hold : holds.values()) {
      if (hold.isInUse(turn)) {
        return true;
      }
    }
    return false;
  }

  /** Forgets the unsettled requests that have a lock-delay, and returns them. */
  @GuardedBy("turn.lock")
  List<Unsettled> takeDelayed(Turn turn) {
    List<Unsettled> delayed = unsettled.values().stream().filter(Unsettled::isDelayed).toList();
    unsettled.values().removeAll(delayed);
    return delayed;
  }

  /**
   * The holds of which each heartbeat asks whether others wait behind them; it asks about waiting
   * requests, too.
   */
  @GuardedBy("turn.lock")
  List<RequestKey> keysByContention(Turn turn) {
    return byContention.values().stream().map(SessionHold::key).toList();
  }

  /** The store has hinted that another may wait for a lock. */
  @GuardedBy("turn.lock")
  void hinted(LockName name, Turn turn) {
    for (SessionHold hold : byLock.getOrDefault(name, List.of())) {
      hold.hinted(turn);
    }
  }

  /** Looks after kept numbers. */
  @GuardedBy("turn.lock")
  void reviewKept(Turn turn) {
    for (SessionHold hold : byContention.values()) {
      hold.review(turn);
    }
  }

  @GuardedBy("turn.lock")
  void retire(Turn turn) {
    for (SessionHold hold : byContention.values()) {
      hold.retire(turn);
    }
  }

  @GuardedBy("turn.lock")
  void awaitsLease(SessionRequest request, Turn turn) {
    awaitingLease.add(request);
  }

  @GuardedBy("turn.lock")
  void leaseInForce(Turn turn) {
    List<SessionRequest> granted = List.copyOf(awaitingLease);
    awaitingLease.clear();
    for (SessionRequest request : granted) {
      request.leaseInForce(turn);
    }
    for (SessionHold hold : byContention.values()) {
      hold.leaseInForce(turn);
    }
  }

  @GuardedBy("turn.lock")
  void jeopardy(Turn turn) {
    for (SessionHold hold : holds.values()) {
      hold.jeopardy(turn);
    }
  }

  /** Every grant is lost; waiting requests ask again elsewhere. */
  @GuardedBy("turn.lock")
  void sessionOver(LossReason reason, Turn turn) {
    List<SessionHold> lost = List.copyOf(holds.values());
    holds.clear();
    byContention.clear();
    byLock.clear();
    for (SessionHold hold : lost) {
      hold.sessionOver(reason, turn);
    }
    tellPending(turn);
  }

  /** Tells those on their way or in a queue that the session is over, some in each turn. */
  @GuardedBy("turn.lock")
  private void tellPending(Turn turn) {
    List<SessionRequest> next = pending.values().stream().limit(TOLD_AT_ONCE).toList();
    for (SessionRequest request : next) {
      pending.remove(request.key().request());
      request.sessionOver(turn);
    }
    if (!pending.isEmpty()) {
      turn.after(0, new TellPending());
    }
  }

  private final class TellPending implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      tellPending(turn);
    }
  }
}
