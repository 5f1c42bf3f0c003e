package io.holdfast;

import io.holdfast.deadlock.Deadlock;
import io.holdfast.deadlock.DeadlockSearch;
import io.holdfast.election.Election;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.view.MultiGrant;
import io.holdfast.view.ReadWriteLockView;
import io.holdfast.watch.Watch;
import io.holdfast.watch.WatchListener;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process's connection to a store of locks. Thread-safe. An application needs one client for each
 * store. Two clients in one process compete for locks as two processes do.
 */
public interface LockClient extends AutoCloseable {

  /**
   * Returns the lock of this name. Makes no call to the store.
   *
   * @throws BadRequestException if the name is empty, longer than 512 bytes with the client's name
   *     prefix, ill-formed, or has control characters
   */
  DistributedLock lock(String name);

  /**
   * Returns the lock of this name as a re-entrant {@link java.util.concurrent.locks.ReadWriteLock}.
   * Makes no call to the store.
   *
   * @throws BadRequestException if the name is invalid as in {@link #lock}, or the store has no
   *     shared mode
   */
  default ReadWriteLockView readWriteLock(String name) {
    return readWriteLock(name, AcquireOptions.forever());
  }

  /**
   * Returns the lock of this name as a re-entrant {@link java.util.concurrent.locks.ReadWriteLock}
   * that acquires with these options. Makes no call to the store.
   *
   * @throws BadRequestException if the name is invalid as in {@link #lock}; if the options limit
   *     the wait, say what interrupts do, or ask for shared mode; or if the store has no shared
   *     mode
   */
  ReadWriteLockView readWriteLock(String name, AcquireOptions options);

  /** Acquires all of these locks and waits for them without a time limit. */
  default MultiGrant lockAll(Collection<String> names) {
    return lockAll(names, AcquireOptions.forever());
  }

  /**
   * Acquires all of these locks or none of them. Takes one after the other, in the order of their
   * names' UTF-8 bytes, so that clients which call this method for the same locks never wait for
   * each other. A name that is given twice counts once. The wait is for all of them together, and
   * the other options are for each; the times of {@link AcquireOptions#atMost} and {@link
   * AcquireOptions#atLeast} begin when all are held. A lock that is lost while the others are
   * awaited is taken again.
   *
   * <p>The order protects no thread that holds a lock already when calling this method, or that
   * acquires another one while holding these. Throws the exceptions of {@link DistributedLock};
   * nothing is held then.
   *
   * @throws LockTimeoutException if not all of them were granted in time
   * @throws AlreadyHeldException if the calling thread holds one of them
   * @throws BadRequestException if there is no name, or an invalid one
   */
  MultiGrant lockAll(Collection<String> names, AcquireOptions options);

  /** Acquires all of these locks if all are free. Makes one attempt for each and does not wait. */
  default Optional<MultiGrant> tryLockAll(Collection<String> names) {
    return tryLockAll(names, AcquireOptions.once());
  }

  /**
   * Acquires all of these locks like {@link #lockAll(Collection, AcquireOptions)}; empty if not all
   * were granted in time, or if the calling thread holds one of them.
   */
  Optional<MultiGrant> tryLockAll(Collection<String> names, AcquireOptions options);

  /**
   * Returns the election of this name, whose leader is the holder of the lock of this name. Makes
   * no call to the store.
   *
   * @throws BadRequestException if the name is not one for a {@linkplain #lock lock}
   */
  Election election(String name);

  /** How many of those who wait for a lock are read at once. */
  int WAITERS_READ = 100;

  /**
   * Returns the store's record of a lock; empty if there is none. Has the first {@value
   * #WAITERS_READ} of those who wait, and tells how many do ({@link LockRecord#waiting}).
   */
  Optional<LockRecord> find(String name);

  /**
   * Asks the store whether the number in a sequencer still holds its lock, in the mode that the
   * sequencer names. Meant for a resource that cannot keep the greatest token itself; makes one
   * read. The answer is true for the moment of the read only: a write that follows may come too
   * late. A resource that refuses smaller tokens in the statement that writes is safer.
   *
   * <p>The number of a session whose time has passed holds until the session is ended, because a
   * late renewal may save it. It holds on while the lock stays taken without a session: for the
   * rest of its least time when it was given back, and of its lock-delay when its holder has died.
   * In most stores requests that share a lock have one number, which holds as long as one of them
   * does.
   *
   * @param sequencer of a client with the same name prefix as this one
   */
  boolean isCurrent(Sequencer sequencer);

  /**
   * Returns those who wait for a lock behind another who waits: the next page of its queue. An
   * empty list if there is none. An empty {@code Optional} if that one does not wait any more,
   * because it has the lock now or has left: begin again with {@link #find}.
   *
   * @param after the last one of the page before
   * @param limit the greatest number of them, positive; a thousand are returned at most
   * @throws BadRequestException if the limit is not positive
   */
  Optional<List<Waiter>> waitersBehind(String name, RequestId after, int limit);

  /**
   * Returns the locks that are held and whose names begin with the prefix, ordered by the UTF-8
   * bytes of their names. The locks are read page by page while the stream is consumed.
   */
  Stream<LockRecord> list(String prefix);

  /**
   * Returns the sessions that seem to wait for each other in circles, over the locks whose names
   * begin with the prefix; a circle over others is not seen. Reads the records of all of these
   * locks, and once more if there is a suspicion, so that each circle was there as a whole at one
   * moment. Changes nothing.
   *
   * <p>Each of them is a suspicion: a session is not a thread, see {@link Deadlock}. End one by
   * revoking a grant in it, or by ending a wait.
   */
  default List<Deadlock> findDeadlocks(String prefix) {
    return DeadlockSearch.in(() -> list(prefix));
  }

  /** How long a watch rests between two looks, unless it is given another interval. */
  Duration WATCH_INTERVAL = Duration.ofSeconds(1);

  /** Watches a lock, and looks every second. */
  default Watch watch(String name, WatchListener listener) {
    return watch(name, WATCH_INTERVAL, listener);
  }

  /**
   * Watches a lock without asking for it: the listener is told its present state, and its latest
   * state after every change. That is within this interval, or at once where the store tells that
   * something has changed, as etcd and ZooKeeper do. Costs the store one read for each interval.
   *
   * @param interval how long the watch rests between two looks; 10 ms to a day
   * @return the watch, to be closed
   * @throws BadRequestException if the name is not one for a {@linkplain #lock lock}, or the
   *     interval is out of these bounds
   * @throws ClientClosedException if the client is closed
   */
  Watch watch(String name, Duration interval, WatchListener listener);

  /** Watches the locks whose names begin with the prefix, and looks every second. */
  default Watch watchPrefix(String prefix, WatchListener listener) {
    return watchPrefix(prefix, WATCH_INTERVAL, listener);
  }

  /**
   * Watches the locks whose names begin with the prefix, as {@link #watch(String, Duration,
   * WatchListener)} does one. The listener is told each lock that is held at the beginning or
   * later, and each of these when it is free. Reads all of them that are held for each interval.
   *
   * @param prefix possibly empty
   */
  Watch watchPrefix(String prefix, Duration interval, WatchListener listener);

  /**
   * Revokes the grant in a record, so that the lock passes on without its holder's consent. With
   * {@link RevokeWhen#SAFELY} the lock never passes on while the holder still believes that it
   * holds it.
   *
   * @throws BadRequestException if the record has no holder, or several
   */
  Revocation revoke(LockRecord seen, RevokeWhen when);

  /**
   * Revokes the grant of one holder in a record, as {@link #revoke(LockRecord, RevokeWhen)} does.
   * Other holders that share the lock keep it.
   */
  Revocation revoke(LockRecord seen, Holder holder, RevokeWhen when);

  /**
   * Revokes the grant of one holder in a record with notice: the holder may keep its grant for so
   * long, its client learns with its next heartbeat how much of that is left, and the grant is lost
   * when it is over. The lock passes on then, but not before one TTL of its session has passed.
   * Other holders that share the lock keep it.
   *
   * @param notice positive, at most {@link AcquireOptions#STAY_MAX}
   * @throws BadRequestException if the notice is out of these bounds or the store cannot give it
   */
  Revocation revokeIn(LockRecord seen, Holder holder, Duration notice);

  /**
   * Makes one call to the store and returns its outcome and the state of this client's sessions.
   */
  Health health();

  /**
   * Closes this client like {@link #close()}, but does not end the sessions that hold something;
   * they are only not renewed any more. Until the TTL of such a session is over, another client can
   * continue it with {@link #resume}, for instance after a restart of this process. After that its
   * locks pass on. The grants of this client are no longer in force.
   *
   * <p>Locks that are kept for the next thread ({@link AcquireOptions#cached}), and locks whose
   * release is being repeated, are given back first. A session of which the store has not answered
   * all of that within five seconds is left to its TTL: it is not among those returned. Neither is
   * one with a {@linkplain Grant#downgrade downgrade} that the store has not answered.
   *
   * @return the ids of the sessions that hold something
   * @throws BadRequestException if sessions in this store cannot be resumed; then nothing is closed
   */
  List<SessionId> orphan();

  /**
   * Continues a session that was {@linkplain #orphan() orphaned} or whose process has died. The
   * session is renewed, and this client holds its grants. Their numbers are those that the store
   * gave before; their tokens are greater than any that the process made of these numbers to which
   * the store granted them. Each further process that resumes the same session has the same tokens
   * as the one before it: a resource cannot tell a late write of that one from its own. Waiting
   * requests of the session are given up. The session serves these grants only and ends with the
   * last of them.
   *
   * <p>The store does not know for how long the earlier process wanted to hold a lock: a resumed
   * grant has neither a {@linkplain AcquireOptions#atLeast least} nor a {@linkplain
   * AcquireOptions#atMost longest} time.
   *
   * <p>Threads that shared one lock on different terms have a grant each, of one session or of
   * several. An acquire in shared mode that failed may still have taken its lock: then one more
   * grant of it is returned, as the store cannot tell the two apart. Release every grant that you
   * have no use for.
   *
   * <p>The process that used the session before must be gone for good. If it was only paused, both
   * processes believe that they hold the locks. The store cannot tell them apart; a resource that
   * checks tokens can. If a session is resumed twice, both attempts succeed, with the same tokens,
   * because the store cannot tell two processes from one that resumes it twice. Make sure that only
   * one process resumes the session.
   *
   * @return the session's grants; an empty list if the session is over
   * @throws BadRequestException if sessions in this store cannot be resumed, if this client already
   *     uses the session or one of its locks, unless both only share that lock and no thread here
   *     waits for it, or if a lock's name does not begin with this client's name prefix; then
   *     nothing is held
   */
  List<Grant> resume(SessionId session);

  /** Returns the store's name in messages. It contains no password. */
  String backend();

  /**
   * Closes this client: waiting calls end with {@link ClientClosedException}, held locks are
   * released, sessions are ended, and threads are stopped. Returns within a bounded time even if
   * the store does not answer. A lock that could not be released then ends with its lease. If
   * another thread is closing the client, returns at once.
   */
  @Override
  void close();
}
