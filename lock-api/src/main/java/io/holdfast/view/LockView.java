package io.holdfast.view;

import io.holdfast.AcquireOptions;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LockQueueFullException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A distributed lock, in one mode, as a {@link Lock} of the JDK. Re-entrant: the thread that holds
 * the lock may lock it again, which makes no call to the store and keeps the grant and its token.
 * The lock is released when that thread has unlocked it as often as it has locked it. Thread-safe.
 *
 * <p>A hold belongs to the thread, the client and the lock's name. So two views of one lock that
 * come from one client are the same lock: {@link DistributedLock#asLock()} and the write lock of
 * {@link LockClient#readWriteLock(String)}, for instance. A thread that holds the lock through one
 * view re-enters through the other, and may unlock through either. A view that comes from another
 * client is another process's; a thread that locks through both waits for itself.
 *
 * <p>A thread that holds the lock in exclusive mode may lock it in shared mode, too. When it has
 * unlocked it in exclusive mode as often as it has locked it, the grant is {@linkplain
 * Grant#downgrade downgraded}: one call to the store lets other readers in and no writer in
 * between, and the token rises on most stores. The other way round there is no upgrade: a thread
 * that holds the lock in shared mode alone would wait for itself if it asked for exclusive mode.
 * {@link #tryLock()} then returns false, and the methods that wait throw {@link
 * AlreadyHeldException} where {@link java.util.concurrent.locks.ReentrantReadWriteLock} waits for
 * ever. The same happens to a thread to which a {@link Grant} of the lock belongs that it has not
 * acquired through a view.
 *
 * <p>Unlike a lock inside a JVM, a distributed lock can be lost. Then {@link
 * #isHeldByCurrentThread()} is false, locking again throws {@link LockLostException} instead of
 * re-entering, and every unlock of the thread throws {@link IllegalMonitorStateException} with a
 * {@link LockLostException} as its cause, and counts all the same; after the last one the thread
 * can lock again. {@link Grant#onLost} of the {@link #grant()} tells of a loss at once.
 *
 * <p>A thread that ends without unlocking leaves the lock held until its client is closed, as with
 * the locks of the JDK. {@link AcquireOptions#atMost} bounds that.
 *
 * <p>All methods that acquire throw the exceptions of {@link DistributedLock}: {@link
 * BackendUnreachableException}, {@link BackendUnusableException}, {@link LockQueueFullException}
 * and {@link ClientClosedException}. In each case nothing was acquired.
 */
public interface LockView extends Lock {

  /** Returns the lock's name, without the client's name prefix. */
  LockName name();

  /** Returns the mode in which this view locks. */
  LockMode mode();

  /**
   * Returns the grant by which the current thread holds the lock in this mode, also if it is lost;
   * empty if the thread does not hold it in this mode. Gives access to the token, {@link
   * Grant#check} and {@link Grant#onLost}. The view releases the grant; do not release it yourself.
   */
  Optional<Grant> grant();

  /**
   * Returns how many times the current thread has locked in this mode without unlocking, also if
   * the grant is lost.
   */
  int holdCount();

  /**
   * Returns whether the current thread holds the lock in this mode: it has locked and not unlocked
   * it, and the grant is in force. Makes no call to the store. If this is false because of a loss,
   * the thread still has to unlock; {@link #holdCount()} says how often.
   */
  boolean isHeldByCurrentThread();

  /**
   * Acquires the lock and waits for it without a time limit. An interrupt does not end the wait; it
   * is pending when the method returns. If the thread holds the lock and its lease is in jeopardy,
   * waits until that is decided.
   *
   * @throws AlreadyHeldException if the thread would wait for itself
   * @throws LockLostException if the thread holds the lock and has lost it
   */
  @Override
  void lock();

  /**
   * Acquires the lock like {@link #lock()} unless the thread is interrupted.
   *
   * @throws InterruptedException if the thread was interrupted, also if it holds the lock; the
   *     interrupt is cleared
   * @throws AlreadyHeldException if the thread would wait for itself
   * @throws LockLostException if the thread holds the lock and has lost it
   */
  @Override
  void lockInterruptibly() throws InterruptedException;

  /**
   * Acquires the lock if it is free. Makes one attempt at the store, does not wait, and does not
   * heed interrupts. Does not barge: if other threads or other clients wait for the lock, it
   * returns false, also in shared mode.
   *
   * @return whether the lock was acquired; false also if the thread would wait for itself, or holds
   *     the lock under a lease that is in jeopardy
   * @throws LockLostException if the thread holds the lock and has lost it
   */
  @Override
  boolean tryLock();

  /**
   * Acquires the lock if it is granted within the given time. Queues like any other request and
   * does not barge. If the time is not positive, makes one attempt and does not wait.
   *
   * @throws InterruptedException if the thread was interrupted, also if it holds the lock; the
   *     interrupt is cleared
   * @throws AlreadyHeldException if the thread would wait for itself
   * @throws LockLostException if the thread holds the lock and has lost it
   */
  @Override
  boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

  /**
   * Undoes one lock of the current thread in this mode. The last one releases the grant, or
   * downgrades it if the thread still holds the lock in shared mode. Does not throw if the store
   * cannot be reached: the release or the downgrade is then repeated in the background.
   *
   * @throws IllegalMonitorStateException if the thread does not hold the lock in this mode, with no
   *     cause; or if the lock was lost, or may have been, before it was unlocked, with a {@link
   *     LockLostException} as its cause
   * @throws BackendUnusableException if the store refuses to downgrade; the thread has unlocked in
   *     exclusive mode and still holds the lock in shared mode
   */
  @Override
  void unlock();

  /**
   * Not supported: a condition would have to wake threads of other processes.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  Condition newCondition();

  /**
   * Returns the lock and its state in this client, like the locks of the JDK do: {@code [Unlocked]}
   * or {@code [Locked by thread main]} in exclusive mode, {@code [Read locks = 2]} in shared mode.
   * Other clients' holds do not show; {@link LockClient#find} tells of those.
   */
  @Override
  String toString();
}
