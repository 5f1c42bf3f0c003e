package io.holdfast.spi;

import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.SessionId;
import java.util.List;
import java.util.Optional;

/**
 * A store of locks: the atomic steps on sessions and lock records, each a blocking call.
 *
 * <p>A lock is a queue of requests, and its head holds it. A session is one holder's liveness; a
 * request belongs to one session. The engine does everything else: it keeps leases, repeats calls
 * that failed, waits, and decides who may overtake and when.
 *
 * <p>Rules for every verb:
 *
 * <ul>
 *   <li>It is one atomic step, or several of which the client may die between any two without
 *       leaving a lock held by nobody.
 *   <li>It never waits for another request to leave, and never repeats itself: drivers' own retries
 *       are switched off. It returns or throws within its deadline; one whose deadline has passed
 *       throws {@link BackendFailure}, and no further step is begun.
 *   <li>Time is judged by the store's clock alone, inside the store.
 *   <li>It is idempotent per request or session id, because the engine repeats a call whose answer
 *       was lost.
 *   <li>It copes with a namespace that nobody has opened a session in yet, and with one whose
 *       tables were emptied: no session lives there and no lock is held.
 *   <li>After {@link #close()} it fails with {@link BackendFailure}.
 *   <li>It fails with {@link BackendFailure}, which says whether the call may have had an effect;
 *       with {@link io.holdfast.BackendUnusableException} where repeating cannot help; or with
 *       {@link io.holdfast.BadRequestException}. The latter two say that there was no effect: where
 *       a step fails after another one was done, see {@link BackendFailure#halfway}.
 * </ul>
 *
 * <p>Implementations are thread-safe; verbs are called from many threads at once, and a call that
 * hangs must not delay those on other sessions or locks.
 */
public interface LockBackend extends AutoCloseable {

  /** Returns what this store can do. Constant; answered without a call to the store. */
  Capabilities capabilities();

  /**
   * Returns how the store is to be called in messages, without passwords: {@code
   * sqlite:/var/lib/holdfast/locks.db}.
   */
  String describe();

  /**
   * Returns which of the namespace's partitions the lock lies in. Sessions are per partition, so
   * that a heartbeat and the requests it covers meet in one place.
   */
  default int partition(LockName name) {
    return 0;
  }

  /**
   * Opens a session, durably when it returns: its first renewal is this call.
   *
   * <p>First reads, or writes if nobody did before, the settings of the namespace and compares them
   * with what this client was told explicitly.
   *
   * <p>It is the engine's duty never to give an id twice, whether this call succeeds or not. So the
   * store need not remember ids: a copy of the call that arrives late, even after the session was
   * ended, may open one that nobody uses, and which lapses. A copy that finds the session there
   * changes nothing of it.
   *
   * @throws io.holdfast.BadRequestException if a setting differs or the TTL is above the
   *     namespace's greatest
   */
  Opened open(SessionSpec spec, Deadline deadline);

  /**
   * Renews a session that is not over, on the condition that it is not over and on no other: also
   * when its time has passed long ago. Never creates one.
   *
   * <p>The answer is given when the renewal is as durable as the store can make it, and is read
   * from the authoritative state together with it. It repeats every notice until {@link
   * #acknowledge acknowledged}.
   */
  Renewed renew(SessionId session, Deadline deadline);

  /**
   * Ends a session, finally, in one compare-and-set. Its requests may stay where they are: they
   * count for nothing from now on, and whoever waits behind them removes them.
   *
   * <p>With {@link EndIf#LAPSED} the session ends only if a whole TTL (and the namespace's {@code
   * maxClockStep}) has passed since its last renewal, by the store's clock in the incarnation that
   * wrote that renewal. A session last renewed under another incarnation that lost nothing, or in
   * the store's future, is given the present time instead and lives on. Where the store ends
   * sessions by itself ({@link Capabilities.Expiry#BY_STORE}) this only tells whether it has.
   */
  Ended end(SessionId session, EndIf when, Deadline deadline);

  /**
   * Takes the lock if its queue is empty; else refuses, or joins the queue if the request asks for
   * that. One round trip when the lock is free.
   *
   * <p>Idempotent per request id: a request that holds is {@link Attempt.Granted} again with the
   * same number, one that waits is {@link Attempt.Queued} again in its place.
   */
  Attempt grab(Request request, Deadline deadline);

  /**
   * Removes the head of a queue whose session is over, or which was revoked a whole TTL ago, by
   * compare-and-set on the number and the request as observed. The next waiter is head; the given
   * request becomes head only if nobody waits, and does not join the queue.
   *
   * <p>If the observed head is not there any more, is the given request itself, or may not be
   * overtaken, nothing changes and the answer tells how the given request stands now.
   */
  Attempt overtake(Request request, Observed head, Deadline deadline);

  /**
   * Removes a request from its queue, wherever it stands; the next one is head if it was the head.
   * A request that is not there is {@link Released#NOTHING} and changes nothing. One round trip
   * when nobody waits, at most three operations when somebody does.
   */
  Released release(LockName name, RequestId request, Deadline deadline);

  /**
   * Tells how requests of one session stand, in the order given. For one that waits, also which
   * requests ahead of it do not count any more. Reads only states that cannot be undone.
   *
   * <p>A request of a session that is over is {@link Standing.Absent}, wherever it stands: by
   * hand-overs it may have become the head since, and its owner would believe in it.
   */
  List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline);

  /**
   * Revokes the observed grant. First marks the holder's session, so that every answer to its
   * renewals carries the notice; only then the lock record, with the store's time, on the condition
   * that the observed request still is its head with the observed number. The first mark of a grant
   * counts: revoking it again does not begin another wait.
   *
   * <p>With {@link RevokeWhen#SAFELY} the lock stays with its holder until it gives it back, its
   * session is over, or one whole TTL of that session has passed since the mark. Where one of the
   * last two is so already the head leaves at once, but never during the restart guard: the new
   * incarnation has ended sessions whose holders still believe. With {@link RevokeWhen#NOW} the
   * head leaves at once.
   */
  Revocation revoke(Observed head, RevokeWhen when, Deadline deadline);

  /** Stops the notice that a request was revoked. Without effect if there is none. */
  void acknowledge(RequestId request, Deadline deadline);

  /** Returns the record of a lock, or empty if there is none. */
  Optional<LockRecord> inspect(LockName name, Deadline deadline);

  /**
   * Lists the locks whose names begin with a text and that are held, by name in the order of its
   * UTF-8 bytes, a page at a time.
   *
   * @param prefix possibly empty
   * @param after list what comes after this name; empty for the first page
   * @param most how many records at most
   */
  List<LockRecord> list(String prefix, Optional<LockName> after, int most, Deadline deadline);

  /**
   * Deletes what nobody needs any more: records of locks that have been free for a day, sessions
   * whose time has passed as long ago, and the heads of queues whose sessions were over as long
   * ago, which nobody came to overtake. Bounded, to some hundreds of each: a caller that wants
   * everything gone calls until it returns 0, and the engine does so with pauses. Deleting a record
   * never lets a later token be smaller. What is recorded with a time in the store's future, since
   * its clock was ahead, is given the present time, and goes a day later like the rest.
   *
   * @return how many records, sessions and heads are gone, or were given the present time
   */
  int sweep(Deadline deadline);

  /**
   * Tells the listener from now on whenever one of the session's requests in a lock may have become
   * its head. A hint is never the truth: it may come late, twice, or not at all. Stores that cannot
   * push announce {@link Capabilities.Wakeup#POLL} and leave this as it is.
   *
   * <p>While this has not returned, or has failed, waiters poll, and the engine asks again with the
   * next heartbeat; it does not ask again after a {@link io.holdfast.BackendUnusableException}. An
   * adapter that loses its connection for hints need not make it anew: it says that they have
   * {@linkplain HintListener#ended ended}, and is asked again.
   *
   * @return what stops the hints when closed
   */
  default AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    return () -> {};
  }

  /** Lets go of the connection to the store within a bounded time. Ends no session. */
  @Override
  void close();
}
