package io.holdfast.record;

import io.holdfast.Holdfast;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import java.time.Duration;
import java.util.List;

/** The outcome of {@link Holdfast#retire}. */
public sealed interface Retirement {

  /**
   * All that an older version of the library had stored is gone. The next client writes the present
   * layout. Its fencing tokens are greater than all that were given before.
   *
   * @param protocol the version of the layout that was removed
   */
  record Retired(int protocol) implements Retirement {}

  /**
   * Sessions live there, so nothing was removed.
   *
   * @param protocol the version of the layout
   * @param sessions some of the live sessions; at least one
   */
  record InUse(int protocol, List<LiveSession> sessions) implements Retirement {

    /** Copies the list. */
    public InUse {
      sessions = List.copyOf(sessions);
    }
  }

  /** The store has no namespace there, so there was nothing to remove. */
  record Nothing() implements Retirement {}

  /**
   * A session that keeps its namespace in use.
   *
   * @param session its id
   * @param process the identity that its process has given itself
   * @param lapsesWithin how long it lives, from the store's answer on, if it is not renewed; at
   *     most its whole TTL and the tolerated clock step
   */
  record LiveSession(SessionId session, ProcessIdentity process, Duration lapsesWithin) {}
}
