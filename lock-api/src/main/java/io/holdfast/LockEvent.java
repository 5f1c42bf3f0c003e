package io.holdfast;

import java.time.Duration;

/**
 * Something an operator may want to know. Each listener is called on a thread of the client, with
 * one event at a time, in order. One that is slow delays nothing else; if it is 10,000 events
 * behind, it misses those that follow.
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
   * @param detail what led to it, for people
   */
  record SessionStateChanged(SessionId session, SessionState from, SessionState to, String detail)
      implements LockEvent {}

  /**
   * A session was closed because nobody needed it any more, or with its client; orphaned, if that
   * was asked for.
   */
  record SessionClosed(SessionId session) implements LockEvent {}

  /** A grant was lost. */
  record GrantLost(LockName name, FencingToken token, LossReason reason) implements LockEvent {}

  /** A release was not answered and is repeated in the background. */
  record ReleasePending(LockName name, FencingToken token, String problem) implements LockEvent {}

  /**
   * Between two renewals the store's clock and this process's did not advance alike.
   *
   * @param session the session
   * @param store how far the store's clock went; negative if it was set back
   * @param own how far this process's monotonic clock went
   */
  record ClockSkewed(SessionId session, Duration store, Duration own) implements LockEvent {}

  /** The store makes everybody wait, because it may have lost grants or by a lock-delay. */
  record GrantsDelayed(LockName name, Duration remaining, String why) implements LockEvent {}

  /** A heartbeat failed; it is sent anew. */
  record HeartbeatFailed(SessionId session, String problem) implements LockEvent {}
}
