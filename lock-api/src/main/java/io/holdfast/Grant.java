package io.holdfast;

import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * A held lock. {@link DistributedLock#acquire()} returns it and {@link #close()} releases it.
 *
 * <p>A grant is in force while its session's lease is in force. Heartbeats extend the lease in the
 * background. The lease ends by this process's clock before the store grants the lock to another
 * holder. Long work should call {@link #check()} between its steps. It should send {@link #token()}
 * with every write, so that the resource can reject a writer whose lock has passed on.
 *
 * <p>Thread-safe. A grant may be passed to another thread and released there. It belongs to the
 * thread that acquired it until another thread asks it something ({@link #isHeld}, {@link #check},
 * {@link #remaining}, {@link #token}) or changes it ({@link #extend}, {@link #downgrade}), or until
 * it is {@linkplain #handOver handed over}. This has one effect only: if the thread to which a
 * grant belongs asks for the same lock again, it gets an {@link AlreadyHeldException}; any other
 * thread waits.
 */
public interface Grant extends AutoCloseable {

  /** Returns the name of the lock. */
  LockName name();

  /** Returns the mode in which the lock is held. */
  LockMode mode();

  /**
   * Returns the fencing token. It never changes, not even after the grant is lost or released; only
   * {@link #downgrade} gives the grant another one.
   */
  FencingToken token();

  /**
   * Returns the token in a text form that can be sent with a request. Beside a {@link #downgrade}
   * on another thread it has the mode and the token that the grant had at one moment, which {@link
   * #mode} and {@link #token} asked one after the other need not.
   */
  default Sequencer sequencer() {
    return new Sequencer(name(), mode(), token());
  }

  /**
   * Returns when the lock was granted, by the store's clock; in etcd and ZooKeeper when it was
   * asked for, in etcd by this machine's clock. Meant for people; do not base decisions on it.
   */
  Instant since();

  /**
   * Returns whether the lease is in force by this process's clocks. Takes nanoseconds and makes no
   * call to the store. The answer is true for the moment of the call only. If the lease ends
   * between this call and the next write, only a resource that checks tokens is safe.
   */
  boolean isHeld();

  /**
   * Returns normally if the grant is in force. If the lease has run out but a renewal may still
   * save it (jeopardy), waits for a renewal, at most for the grace time. Takes nanoseconds
   * otherwise.
   *
   * @throws LockLostException if the grant is lost or was released
   * @throws LockInterruptedException if interrupted while waiting in jeopardy
   */
  void check();

  /**
   * Returns how long the grant lasts if the lease is not renewed and the grant is not {@linkplain
   * #extend extended}; zero if it is not in force.
   */
  Duration remaining();

  /**
   * Moves the end of a grant that was acquired with {@link AcquireOptions#atMost}: from now on it
   * may be held for that long. The end may move in both directions. Makes no call to the store.
   *
   * @param atMost positive
   * @throws LockLostException if the grant is lost or was released
   * @throws BadRequestException if the grant has no such end, or the duration is not positive
   */
  void extend(Duration atMost);

  /**
   * Turns this exclusive grant into a shared one, without a moment in between in which another
   * request could hold the lock exclusively. Waiting shared requests are let in. On most stores the
   * grant has a greater {@linkplain #token token} afterwards. Makes one call to the store, and none
   * if the grant is shared already.
   *
   * <p>From the moment of this call on the grant counts as shared, even if the store does not
   * answer or refuses: stop writing before. In those cases the call is repeated in the background.
   *
   * @throws LockLostException if the grant is lost or was released
   * @throws BackendUnreachableException if the store did not answer; the grant is shared
   * @throws BackendUnusableException if the store refused, for want of a permission for instance;
   *     the grant is shared, and readers of other clients are let in once it does not refuse
   * @throws BadRequestException if the store has no shared mode; the grant is unchanged
   */
  void downgrade();

  /**
   * Registers a listener that is called once, on a thread of the client, when the grant is lost. A
   * release of this grant is not a loss; closing or orphaning its client is. If the grant is lost
   * already, the listener is called at once. A listener should return quickly.
   */
  void onLost(Consumer<LossReason> listener);

  /**
   * Declares that this grant is about to be passed to another thread. From now on it belongs to no
   * thread, until a thread uses it. So the calling thread may ask for the lock again at once; it
   * then waits.
   */
  void handOver();

  /**
   * Releases the lock and returns the outcome. Does not throw if the store cannot be reached: the
   * release is then repeated in the background. Makes at most one call to the store.
   *
   * <p>Makes none if another thread of this client is the next to want the lock with the same
   * options: the lock is then passed on to that thread, under a greater token. A lock is passed on
   * in this way for at most 100 ms after the store granted it, and at most 1,022 times; so a waiter
   * of another client is not kept waiting for longer. A {@linkplain AcquireOptions#cached cached}
   * lock is passed on for as long as it may be kept.
   */
  ReleaseOutcome release();

  /**
   * Releases the lock like {@link #release()}, as if the grant had never reached its caller: the
   * lock does not stay taken for its {@linkplain AcquireOptions#atLeast least time}. For a job that
   * did not begin after all, so that it is not skipped: do not call this once anything was done
   * under the grant. If the grant was released before, this changes nothing.
   */
  ReleaseOutcome releaseUnused();

  /**
   * Releases the lock like {@link #release()}. Does nothing if the grant was released or lost
   * before.
   */
  @Override
  default void close() {
    release();
  }
}
