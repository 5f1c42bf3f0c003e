package io.holdfast;

import io.holdfast.error.LossReason;
import java.time.Duration;

/**
 * An event that may matter to an operator. Each listener is called on a thread of the client, with
 * one event at a time, in order. A slow listener delays nothing else. A listener that is 10,000
 * events behind misses the events that follow.
 */
public sealed interface LockEvent {

  /** A session was opened. */
  record SessionOpened(SessionId session, Duration ttl) implements LockEvent {}

  /**
   * A session's state has changed.
   *
   * @param session the session
   * @param from the state before
   * @param to the state now
   * @param detail the cause, for people
   */
  record SessionStateChanged(SessionId session, SessionState from, SessionState to, String detail)
      implements LockEvent {}

  /**
   * A session was closed because it was not needed any more or because its client was closed. If
   * the client was orphaned, the session was orphaned, not ended.
   */
  record SessionClosed(SessionId session) implements LockEvent {}

  /** A grant was lost. */
  record GrantLost(LockName name, FencingToken token, LossReason reason) implements LockEvent {}

  /**
   * A grant was revoked with notice. It is lost when that time is over.
   *
   * @param name the lock's name
   * @param token the grant's token
   * @param left how long it may still be held
   */
  record GrantRevokedLater(LockName name, FencingToken token, Duration left) implements LockEvent {}

  /** The store did not answer a release, which is repeated in the background. */
  record ReleasePending(LockName name, FencingToken token, String problem) implements LockEvent {}

  /**
   * Between two renewals within one TTL, the store's clock and this process's clock did not advance
   * by the same time.
   *
   * @param session the session
   * @param store how far the store's clock advanced; negative if it was set back
   * @param own how far this process's monotonic clock advanced
   */
  record ClockSkewed(SessionId session, Duration store, Duration own) implements LockEvent {}

  /**
   * The store grants the lock to no client yet, because it may have lost grants or because of a
   * lock-delay.
   */
  record GrantsDelayed(LockName name, Duration remaining, String why) implements LockEvent {}

  /** A heartbeat failed. It is sent again. */
  record HeartbeatFailed(SessionId session, String problem) implements LockEvent {}
}
