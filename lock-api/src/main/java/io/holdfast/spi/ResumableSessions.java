package io.holdfast.spi;

import io.holdfast.SessionId;
import io.holdfast.spi.answer.Resumed;
import java.util.Optional;

/**
 * An additional interface for a {@link LockBackend} whose store can tell what a session holds. A
 * process that has kept the id of its session can then continue the session after a restart, within
 * the TTL. To orphan a session for that purpose, a client stops renewing it and closes the backend,
 * which ends no session.
 */
public interface ResumableSessions {

  /**
   * Renews a session and then reads its requests, all that hold or wait, no matter how those before
   * them stand; empty if the session is over. A request that was given back and stays is not among
   * them. From then on hints for the session go to this connection.
   *
   * <p>The client that resumes a session must be the only one that uses it, because a process that
   * was only paused would continue to believe in its grants. The client must not make new requests
   * in the session, because a late copy of an earlier request may have the same serial number.
   */
  Optional<Resumed> resume(SessionId session, Deadline deadline);
}
