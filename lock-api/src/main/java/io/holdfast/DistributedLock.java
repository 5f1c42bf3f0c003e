package io.holdfast;

import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LockQueueFullException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.view.LockView;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A lock, identified by its name. An instance holds no state of its own, so any number of instances
 * can exist for one name. Thread-safe.
 *
 * <p>Not re-entrant. If a grant of this client {@linkplain Grant belongs} to a thread and that
 * thread asks for the lock again, it gets an {@link AlreadyHeldException} instead of waiting for
 * itself. {@code tryAcquire}, with any options, returns empty at once instead. {@link #asLock()} is
 * the same lock, re-entrant.
 *
 * <p>All methods that wait throw {@link BackendUnreachableException} if the store could not be
 * reached and still cannot be when the wait is over; {@link BackendUnusableException} if the store
 * cannot be used in its present state; {@link LockQueueFullException} if as many requests wait as
 * are allowed to; {@link LockInterruptedException} if the thread was interrupted; {@link
 * ClientClosedException} if the client was closed before the call or during it; {@link
 * BadRequestException} if the request is invalid. In each case nothing is held.
 */
public interface DistributedLock {

  /** Returns the lock's name, without the client's name prefix. */
  LockName name();

  /** Acquires the lock and waits for it without a time limit. */
  default Grant acquire() {
    return acquire(AcquireOptions.forever());
  }

  /**
   * Acquires the lock and waits for it for at most the given time; zero means one attempt.
   *
   * @throws LockTimeoutException if the wait timed out
   */
  default Grant acquire(Duration wait) {
    return acquire(AcquireOptions.within(wait));
  }

  /**
   * Acquires the lock with the given options.
   *
   * @throws LockTimeoutException if the wait timed out
   */
  Grant acquire(AcquireOptions options);

  /**
   * Acquires the lock if it is free. Makes one attempt, does not wait, and does not join the queue.
   */
  default Optional<Grant> tryAcquire() {
    return tryAcquire(AcquireOptions.once());
  }

  /** Acquires the lock with the given options; empty if the wait timed out. */
  Optional<Grant> tryAcquire(AcquireOptions options);

  /** Acquires the lock like {@link #acquire()}, without a thread that waits for it. */
  default CompletableFuture<Grant> acquireAsync() {
    return acquireAsync(AcquireOptions.forever());
  }

  /** Acquires the lock like {@link #acquire(Duration)}, without a thread that waits for it. */
  default CompletableFuture<Grant> acquireAsync(Duration wait) {
    return acquireAsync(AcquireOptions.within(wait));
  }

  /**
   * Acquires the lock like {@link #acquire(AcquireOptions)}, without a thread that waits for it.
   * Makes no call to the store on the calling thread. The future fails with each exception that the
   * other method throws, also for a bad request; an interrupt changes nothing.
   *
   * <p>If the future ends before this client completes it ({@link CompletableFuture#cancel}, {@link
   * CompletableFuture#orTimeout}, {@link CompletableFuture#completeExceptionally}), the request is
   * withdrawn. A grant that finds its future ended is given back. Futures that are derived from
   * this one are others: cancelling one of them withdraws nothing.
   *
   * <p>The future is completed where {@link ClientBuilder#asyncExecutor} says. If the client is
   * closed it fails with a {@link ClientClosedException}, possibly a little after {@link
   * LockClient#close} has returned.
   *
   * <p>The grant belongs to no thread, also if threads use it, so no thread gets an {@link
   * AlreadyHeldException} because of it. Nor does this method ask which thread calls it: one that
   * holds the lock and blocks until its future is complete waits for itself. No thread is
   * interrupted when the grant is lost; {@link Grant#onLost} tells. The times of {@link
   * AcquireOptions#atMost} and {@link AcquireOptions#atLeast} begin when the future is completed.
   * In all else these acquires are like others: they stand in the same lines, share the lock, keep
   * it, and pass it on.
   */
  CompletableFuture<Grant> acquireAsync(AcquireOptions options);

  /** Acquires the lock like {@link #tryAcquire()}, without a thread that waits for the answer. */
  default CompletableFuture<Optional<Grant>> tryAcquireAsync() {
    return tryAcquireAsync(AcquireOptions.once());
  }

  /**
   * Acquires the lock like {@link #acquireAsync(AcquireOptions)}; the result is empty if the wait
   * timed out.
   */
  CompletableFuture<Optional<Grant>> tryAcquireAsync(AcquireOptions options);

  /**
   * Runs the body while holding the lock, then releases the lock. The body's thread is interrupted
   * when the lease runs out (jeopardy) or when the grant is lost, also because its client was
   * closed. If the body calls {@link Grant#check()}, that call clears the interrupt and waits until
   * the lease is renewed or the grant is lost. If the body ends in jeopardy, this method makes the
   * same check after it, so the caller learns whether the grant was kept or lost.
   *
   * <p>When this method returns or throws, no interrupt of its own is pending. An interrupt by
   * other code is still pending if it arrived earlier and the body has not handled it. (An
   * interrupt that arrives while the interrupt of a loss is pending cannot be told from it and is
   * cleared with it.)
   *
   * @throws LockTimeoutException if the wait timed out
   * @throws LockLostException if the grant was lost while the body ran, or before: then the body
   *     does not run. An exception that the body threw is among the suppressed
   * @throws E if the body throws it and the grant was not lost
   */
  default <E extends Exception> void run(Duration wait, Body<E> body) throws E {
    call(
        AcquireOptions.within(wait),
        grant -> {
          body.run(grant);
          return true;
        });
  }

  /** Does the same as {@link #run}, with options, and returns the task's result. */
  <T, E extends Exception> T call(AcquireOptions options, Task<T, E> task) throws E;

  /**
   * Returns this lock as a re-entrant {@link java.util.concurrent.locks.Lock} in exclusive mode.
   * Makes no call to the store.
   */
  default LockView asLock() {
    return asLock(AcquireOptions.forever());
  }

  /**
   * Returns this lock as a re-entrant {@link java.util.concurrent.locks.Lock} that acquires with
   * these options, in their mode. A thread that re-enters keeps the grant that it has, even if
   * these options differ from its own. Makes no call to the store.
   *
   * @throws BadRequestException if the options limit the wait or say what interrupts do, both of
   *     which the methods of a {@code Lock} say themselves; or if the store has no such mode
   */
  LockView asLock(AcquireOptions options);

  /** An action that runs while a lock is held. */
  @FunctionalInterface
  interface Body<E extends Exception> {
    /** Runs the action. */
    void run(Grant grant) throws E;
  }

  /** A computation that runs while a lock is held. */
  @FunctionalInterface
  interface Task<T, E extends Exception> {
    /** Computes the result. */
    T call(Grant grant) throws E;
  }
}
