package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Obstacle;
import java.util.List;

/** A request that is on its way to the store or in a queue, as its session sees it. */
public interface SessionRequest {

  /** Returns the request. */
  RequestKey key();

  /** Returns how it leaves the store when no thread wants it any more. */
  Departure departure();

  /** Returns whether it is in the queue. */
  @GuardedBy("turn.lock")
  boolean isQueued(Turn turn);

  /** Returns when it is looked at. Only to be asked for while it is in the queue. */
  @GuardedBy("turn.lock")
  PollSchedule pollSchedule(Turn turn);

  /** The store says that it holds. */
  @GuardedBy("turn.lock")
  void granted(Granted granted, Turn turn);

  /** The store says that these stand in its way. */
  @GuardedBy("turn.lock")
  void clear(List<Obstacle> obstacles, Turn turn);

  /** It is not in the queue any more although this client did not take it out. */
  @GuardedBy("turn.lock")
  void vanished(Turn turn);

  /** The store has told how it stands. */
  @GuardedBy("turn.lock")
  void looked(Turn turn);

  /** The store could not tell how it stands this time. */
  @GuardedBy("turn.lock")
  void lookFailed(RuntimeException failure, Turn turn);

  /** Its standing cannot be learnt. */
  @GuardedBy("turn.lock")
  void fails(RuntimeException failure, Turn turn);

  /** A renewal has been answered. */
  @GuardedBy("turn.lock")
  void leaseInForce(Turn turn);

  /** The session is over: it is in no queue any more. */
  @GuardedBy("turn.lock")
  void sessionOver(Turn turn);
}
