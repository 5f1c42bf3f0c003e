package io.holdfast.zookeeper;

import java.time.Duration;

/** Where lines to an ensemble come from. Thread-safe. */
interface Lines extends AutoCloseable {

  /** Returns the line for calls in nobody's name. */
  Line ofNobody();

  /**
   * Returns a line for a new session.
   *
   * @param timeout for how long the servers wait for a word of it, if they can be asked for that
   */
  Line ofNewSession(Duration timeout);

  /** Returns a line for a session that was opened elsewhere. */
  Line ofSession(SessionRef session, Duration timeout);

  boolean isClosed();

  /** Lets go of the lines that are not a session's. */
  @Override
  void close();
}
