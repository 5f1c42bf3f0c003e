package io.holdfast.spi;

import io.holdfast.SessionId;
import java.util.Optional;

/**
 * What a {@link LockBackend} implements besides if its store can tell what a session holds: so a
 * process that has kept the id of its session can go on with it after a restart, within the TTL. To
 * orphan a session for that purpose is to stop renewing it and to close the backend, which ends no
 * session.
 */
public interface ResumableSessions {

  /**
   * Renews a session and tells what it has; empty if it is over. Whoever resumed it must be the
   * only one to use it, since a process that was only stopped believes on beside it; and ask for
   * nothing new under it, since a late copy of an earlier wish may have that serial number.
   */
  Optional<Resumed> resume(SessionId session, Deadline deadline);
}
