package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.LossReason;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Standing;

/**
 * A request that was granted and with which the client has not finished, as its session sees it.
 */
public interface SessionHold {

  /** Returns the request. */
  RequestKey key();

  /** Returns how it leaves the store when its client closes. */
  @GuardedBy("turn.lock")
  Departure departure(Turn turn);

  /** Returns whether it goes by whether others wait: then each heartbeat asks about it. */
  boolean goesByContention();

  /** Returns whether the store is known to have it in the mode that its client has it in. */
  @GuardedBy("turn.lock")
  boolean isSettled(Turn turn);

  /** Returns whether a thread has it. */
  @GuardedBy("turn.lock")
  boolean isInUse(Turn turn);

  /** The store has answered a question that was sent then. */
  @GuardedBy("turn.lock")
  void stands(Standing standing, long sentNanos, Turn turn);

  /** The store has hinted that another may wait. */
  @GuardedBy("turn.lock")
  void hinted(Turn turn);

  /** Time has passed: a kept number may have to go back. */
  @GuardedBy("turn.lock")
  void review(Turn turn);

  /** The session takes no further requests: a kept number goes back. */
  @GuardedBy("turn.lock")
  void retire(Turn turn);

  /** A renewal has been answered. */
  @GuardedBy("turn.lock")
  void leaseInForce(Turn turn);

  /** The lease has run out; a renewal may still save it. */
  @GuardedBy("turn.lock")
  void jeopardy(Turn turn);

  /** The request was revoked. */
  @GuardedBy("turn.lock")
  void revoked(Turn turn);

  /** The request was revoked, and may hold for so long. */
  @GuardedBy("turn.lock")
  void revokedIn(long leftNanos, Turn turn);

  /** The session is over: it is lost. */
  @GuardedBy("turn.lock")
  void sessionOver(LossReason reason, Turn turn);

  /** The client closes: the store hears of it with the client's other requests. */
  @GuardedBy("turn.lock")
  void closedByClient(Turn turn);

  /**
   * The client closes, and leaves it to a later life of the process. Returns false if no thread has
   * it: then the client gives it back.
   */
  @GuardedBy("turn.lock")
  boolean orphan(Turn turn);
}
