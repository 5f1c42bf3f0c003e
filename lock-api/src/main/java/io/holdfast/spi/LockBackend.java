package io.holdfast.spi;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A store of locks: the atomic steps on sessions and lock records. Each verb is a blocking call.
 *
 * <p>A lock is a queue of requests. The exclusive request at its head holds it, or all shared
 * requests that stand at its head without an exclusive one before them: the run. A session is one
 * holder's liveness; a request belongs to one session. The engine does everything else: it keeps
 * leases, repeats failed calls, waits, and decides which request may overtake and when.
 *
 * <p>Rules for every verb:
 *
 * <ul>
 *   <li>It is one atomic step, or several steps. The client may die between any two steps, and no
 *       lock may then be left taken without a holder.
 *   <li>It never waits for another request to leave, and never repeats itself: the drivers' own
 *       retries are switched off. It returns or throws within its deadline. If the deadline has
 *       passed it throws {@link BackendFailure} and begins no further step.
 *   <li>Time is judged by the store's clock alone, inside the store.
 *   <li>It is idempotent per request or session id, because the engine repeats a call whose answer
 *       was lost.
 *   <li>It works in a namespace in which no session was opened yet, and in one whose tables were
 *       emptied: no session lives there and no lock is held.
 *   <li>After {@link #close()} it fails with {@link BackendFailure}.
 *   <li>It fails with {@link BackendFailure}, which says whether the call may have had an effect;
 *       with {@link io.holdfast.error.BackendUnusableException} if repeating cannot help; or with
 *       {@link io.holdfast.error.BadRequestException}. The latter two state that there was no
 *       effect. If a step fails after an earlier step succeeded, see {@link
 *       BackendFailure#halfway}.
 * </ul>
 *
 * <p>Implementations are thread-safe. Verbs are called from many threads at once, and a call that
 * hangs must not delay calls on other sessions or locks.
 */
public interface LockBackend extends AutoCloseable {

  /** Returns the capabilities of this store. Constant; answered without a call to the store. */
  Capabilities capabilities();

  /**
   * Returns the store's name for messages, without passwords: {@code
   * sqlite:/var/lib/holdfast/locks.db}. Constant; answered without a call to the store.
   */
  String describe();

  /**
   * Returns the namespace's partition in which the lock lies. Each session belongs to one
   * partition, so that a heartbeat and the requests that it covers are in one place.
   */
  default int partition(LockName name) {
    return 0;
  }

  /**
   * Opens a session. The session is durable when this call returns, and this call counts as its
   * first renewal.
   *
   * <p>First reads the settings of the namespace, or writes them if there are none yet, and
   * compares them with the settings that this client was given explicitly.
   *
   * <p>The engine never uses an id twice, whether this call succeeds or not. So the store need not
   * remember ids: a copy of the call that arrives late, even after the session was ended, may open
   * a session that no client uses, and which lapses. A copy that finds the session present does not
   * change it.
   *
   * @throws io.holdfast.error.BadRequestException if a setting differs or the TTL is above the
   *     namespace's greatest
   */
  Opened open(SessionSpec spec, Deadline deadline);

  /**
   * Renews a session on the only condition that it is not over, even if its time passed long ago.
   * Never creates a session.
   *
   * <p>The answer is given when the renewal is as durable as the store can make it. The answer is
   * read together with the renewal, from the authoritative state. It repeats every notice until
   * that notice is {@link #acknowledge acknowledged}.
   */
  Renewed renew(SessionId session, Deadline deadline);

  /**
   * Ends a session for good, in one compare-and-set. Its requests may stay where they are. They
   * have no effect from now on, and waiters behind them remove them.
   *
   * <p>With {@link EndIf#LAPSED} the session ends only if a whole TTL (and the namespace's {@code
   * maxClockStep}) has passed since its last renewal, by the store's clock in the incarnation that
   * wrote that renewal. A session last renewed under another incarnation that lost nothing, or in
   * the store's future, is given the present time instead and lives on. If the store ends sessions
   * by itself ({@link Capabilities.Expiry#BY_STORE}), this call only tells whether it has ended
   * this one.
   */
  Ended end(SessionId session, EndIf when, Deadline deadline);

  /**
   * Takes the lock if its queue is empty, or if the request asks for shared mode, shared requests
   * hold the lock and none waits. Otherwise refuses the request, or adds it to the queue if the
   * request asks for that. A run has one number, which all that join it get; it is joined only if
   * that number was given in an incarnation that has lost no grants since. Takes one round trip
   * when the lock is free.
   *
   * <p>Idempotent per request id: if the request already holds the lock, the answer is {@link
   * Attempt.Granted} with the same number again; if it already waits, the answer is {@link
   * Attempt.Queued} again and it keeps its place.
   */
  Attempt grab(Request request, Deadline deadline);

  /**
   * Removes a holder if its session is over, or if it was revoked at least one whole TTL ago, by
   * compare-and-set on the number and the request as observed. If no request holds the lock then,
   * the next waiter does. The given request gets the lock only if no request waits; it does not
   * join the queue.
   *
   * <p>A holder with a {@linkplain Request#lockDelay lock-delay} whose session is over is not
   * removed yet: the first overtake begins its stay, once, and the holder is removed by the first
   * overtake after the end of that stay. A holder that {@linkplain #releaseAfter stays} is removed
   * when its stay is over, no matter whether its session lives. A stay that another incarnation of
   * the store began, which lost nothing, or that begins in the store's future, begins again when it
   * is seen.
   *
   * <p>If the observed request does not hold the lock any more, is the given request itself, or may
   * not be overtaken, nothing changes and the answer tells how the given request stands now.
   */
  Attempt overtake(Request request, Observed head, Deadline deadline);

  /**
   * Removes a request from its queue, wherever it stands. If it was the only holder, the next
   * request becomes the head. If the first waiting request is shared then, and shared requests hold
   * the lock, it holds the lock with them. If it is not in the queue, the answer is {@link
   * Released#NOTHING} and nothing changes. Takes one round trip when no request waits, at most
   * three operations when one does.
   */
  Released release(LockName name, RequestId request, Deadline deadline);

  /**
   * Gives a lock back so that it stays taken for a while: the holder becomes a tombstone, which
   * belongs to no session, for so long by the store's clock. Until then the lock is held as before,
   * in the same mode. For its client the request is {@link Standing.Absent} from now on, and a copy
   * of its grab that arrives late is refused. Nothing that its client sends changes a tombstone; a
   * revocation removes it at once.
   *
   * <p>If the request waits, if it was revoked, or if it is not in the queue, this is a {@link
   * #release}. Idempotent: a request that stays already is left as it is.
   *
   * @param stay positive, at most a day
   * @throws BadRequestException if the store cannot keep such stays
   */
  default Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
    throw new BadRequestException(
        "Locks at %s cannot be held for a least time.".formatted(describe()));
  }

  /**
   * Turns the exclusive grant of a request into a shared one, in one step, so that no other request
   * holds the lock exclusively in between. The grant has a new number, greater than its first, and
   * a request that joins the run has a greater token than the exclusive grant had. The waiting
   * shared requests before the first waiting exclusive one hold the lock from now on, too.
   *
   * <p>Idempotent: a request that holds in shared mode already keeps its number.
   *
   * @return the number of the shared grant; empty if the request does not hold the lock
   * @throws BadRequestException if the store has no shared mode
   */
  default OptionalLong downgrade(RequestKey key, Deadline deadline) {
    throw new BadRequestException(
        "Locks at %s are exclusive; shared mode is not available.".formatted(describe()));
  }

  /**
   * Tells how requests of one session stand, in the order given. For a waiting request it also
   * tells which requests ahead of it do not count any more. Reads only states that cannot be
   * undone.
   *
   * <p>A request of a session that is over is {@link Standing.Absent}, wherever it stands. A
   * hand-over may have made it the head since, and without this rule its client would believe that
   * it holds the lock.
   */
  List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline);

  /**
   * Revokes the observed grant. First marks the holder's session, so that every answer to its
   * renewals carries the notice. Then marks the lock record with the store's time, on the condition
   * that the observed request is still the head with the observed number; or with any number, once
   * its session is marked: it may have {@linkplain #downgrade downgraded} since. The first mark of
   * a grant counts: revoking it again does not begin another wait.
   *
   * <p>With {@link RevokeWhen#SAFELY} the lock stays with its holder until the holder releases it,
   * its session is over, or one whole TTL of that session has passed since the mark. If one of the
   * last two is already true, the head leaves at once, but never during the restart guard: the new
   * incarnation has ended sessions whose holders still believe that they hold their locks. With
   * {@link RevokeWhen#NOW} the head leaves at once.
   *
   * <p>A revocation uses up a lock-delay and a least time. A holder that stays for one of those
   * ({@link io.holdfast.record.Liveness#STAYING}) is removed at once, without a mark.
   */
  Revocation revoke(Observed head, RevokeWhen when, Deadline deadline);

  /**
   * Revokes the observed grant with notice, as {@link #revoke} does safely. The holder may keep its
   * grant for so long, and the notice in the answer to each renewal says how much of that is left.
   * The holder may be removed by others when the notice and one whole TTL of its session have both
   * passed since the mark. If that is later than the end of an earlier revocation, the earlier one
   * stands.
   *
   * @param notice positive, at most a day
   * @throws BadRequestException if the store cannot give notice
   */
  default Revocation revokeIn(Observed head, Duration notice, Deadline deadline) {
    throw new BadRequestException(
        "Holders at %s cannot be given notice; revoke them at once.".formatted(describe()));
  }

  /** Stops the notice that a request was revoked. Has no effect if there is no such notice. */
  void acknowledge(RequestId request, Deadline deadline);

  /** Returns the record of a lock, or empty if there is none. */
  Optional<LockRecord> inspect(LockName name, Deadline deadline);

  /**
   * Returns the same with the first of those who wait, and how many wait in all. A store whose
   * queue does not lie in one piece reads no more of it.
   *
   * @param waiters how many of them at most, not negative
   */
  default Optional<LockRecord> inspect(LockName name, int waiters, Deadline deadline) {
    return inspect(name, deadline).map(record -> record.withFirst(waiters));
  }

  /**
   * Returns those who wait behind a request that waits, in their order; empty if that one does not
   * wait.
   *
   * @param limit how many at most, positive
   */
  default Optional<List<Waiter>> waitersBehind(
      LockName name, RequestId after, int limit, Deadline deadline) {
    return inspect(name, deadline).flatMap(record -> record.waitersBehind(after, limit));
  }

  /**
   * Lists the held locks whose names begin with the prefix, ordered by the UTF-8 bytes of their
   * names, one page per call. A page with fewer records than the limit is the last one, also if
   * locks were given back while it was read.
   *
   * @param prefix possibly empty
   * @param after the list begins after this name; empty for the first page
   * @param limit the greatest number of records to return
   */
  List<LockRecord> list(String prefix, Optional<LockName> after, int limit, Deadline deadline);

  /**
   * Deletes records that are not needed any more: records of locks that have been free for a day,
   * sessions whose time passed a day ago, and heads of queues whose sessions were over a day ago
   * and which no client has overtaken. One call deletes some hundreds of each at most. To delete
   * everything, a caller repeats the call until it returns 0; the engine does so with pauses.
   * Deleting a record never makes a later token smaller. A record whose time is in the store's
   * future, because the store's clock was ahead, is given the present time and is deleted a day
   * later like the others.
   *
   * @return how many records, sessions and heads were deleted or were given the present time; at
   *     least 1 if the next call goes on where this one has run out of time
   */
  int sweep(Deadline deadline);

  /**
   * Calls the listener from now on whenever one of the session's requests may have become the head
   * of a lock, or may have got its first waiter. A hint proves nothing: it may come late, twice, or
   * not at all. Adapters of stores that cannot push announce {@link Capabilities.Wakeup#POLL} and
   * do not override this method.
   *
   * <p>Until this method has returned, or after it has failed, waiters poll and the engine calls it
   * again with the next heartbeat; after a {@link io.holdfast.error.BackendUnusableException} only
   * some minutes later. An adapter that loses its connection for hints need not reconnect: it
   * reports that the hints have {@linkplain HintListener#ended ended}, and this method is called
   * again.
   *
   * @return an object that stops the hints when it is closed
   */
  default AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    return () -> {};
  }

  /**
   * Begins to watch a lock for a client that does not ask for it. Makes no call to the store
   * itself. The lock's states come from reads alone; the engine reads again after a while, and
   * early if there is a hint. Unless this method is overridden, there are no hints, and states are
   * ordered by the record's number.
   *
   * <p>Override it if the store tells that a key, row or node has changed without being asked to by
   * those who change it. Where waiters are given hints by those who leave, do not have more of
   * those sent for the sake of watchers. Hints may come late, twice, or not at all; when they have
   * {@linkplain HintListener#ended ended}, the next read asks for them again.
   *
   * @param hints is told the name when the lock may have changed since the last read
   */
  default Watching watch(LockName name, HintListener hints) {
    return new PolledWatching(this, name);
  }

  /** Closes the connections to the store within a bounded time. Ends no session. */
  @Override
  void close();
}
