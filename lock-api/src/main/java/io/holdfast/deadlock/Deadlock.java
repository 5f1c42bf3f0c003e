package io.holdfast.deadlock;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import java.util.List;

/**
 * The suspicion of a deadlock: sessions of which each waits for the next one, and the last one for
 * the first.
 *
 * <p><strong>It is a suspicion, because a session is not a thread.</strong> A session belongs to a
 * client, and all threads of the client use it; one with several TTLs or partitions has several. If
 * the thread that waits for one lock is not the thread that has the other one, the latter can go
 * on, give its lock back, and the circle is no deadlock. It is none either if a waiter gives up in
 * time. A store cannot know which it is: that is left to the reader, who finds the processes and
 * their reasons here.
 *
 * @param waits each session's wait for the next one; two at least, and not all for the same lock
 */
public record Deadlock(List<Wait> waits) {

  /**
   * One session's wait for another one.
   *
   * @param lock the lock for which it waits
   * @param waiter its request, with the process and the reason
   * @param ahead the other session's request, which has to leave that lock's queue first
   * @param aheadHolds whether the request ahead holds the lock; else it waits as well, nearer to
   *     the head
   */
  public record Wait(LockName lock, Waiter waiter, RequestId ahead, boolean aheadHolds) {}

  /** Copies the list. */
  public Deadlock {
    waits = List.copyOf(waits);
  }

  /**
   * Returns the sessions, each of which waits for the next one, or for another session of the same
   * client.
   */
  public List<SessionId> sessions() {
    return waits.stream().map(wait -> wait.waiter().request().session()).toList();
  }

  /** Returns the locks for which they wait. */
  public List<LockName> locks() {
    return waits.stream().map(Wait::lock).distinct().toList();
  }
}
