package io.holdfast;

import java.time.Duration;
import java.util.Optional;

/**
 * A lock by its name. Holds no state of its own: as many may be made for one name as you like, and
 * every thread may use each.
 *
 * <p>Not re-entrant: a thread to which a grant of this client {@linkplain Grant belongs} and which
 * asks for the lock again gets an {@link AlreadyHeldException} instead of waiting for itself; from
 * {@code tryAcquire}, at once, nothing.
 *
 * <p>All methods throw {@link BackendUnreachableException} if the store could not be reached, still
 * so when the wait was over; {@link BackendUnusableException} if it cannot be used as it is; {@link
 * LockInterruptedException} if the thread was interrupted; {@link ClientClosedException} if the
 * client is or was closed; {@link BadRequestException} if what was asked makes no sense. In each
 * case nothing is held.
 */
public interface DistributedLock {

  /** Returns the lock's name, without the client's name prefix. */
  LockName name();

  /** Acquires the lock, waiting for as long as it takes. */
  default Grant acquire() {
    return acquire(AcquireOptions.forever());
  }

  /**
   * Acquires the lock, waiting for up to a time; zero is one attempt.
   *
   * @throws LockTimeoutException if the wait timed out
   */
  default Grant acquire(Duration wait) {
    return acquire(AcquireOptions.within(wait));
  }

  /**
   * Acquires the lock as the options say.
   *
   * @throws LockTimeoutException if the wait timed out
   */
  Grant acquire(AcquireOptions options);

  /** Acquires the lock if it is free, in one attempt, without waiting and without a queue. */
  default Optional<Grant> tryAcquire() {
    return tryAcquire(AcquireOptions.once());
  }

  /** Acquires the lock as the options say; empty if the wait timed out. */
  Optional<Grant> tryAcquire(AcquireOptions options);

  /**
   * Runs the body while holding the lock and gives the lock back after it. The body's thread is
   * interrupted when the lease runs out (jeopardy) or the grant is lost, its client being closed
   * included; {@link Grant#check()} in the body takes that interrupt back and waits for what comes
   * of it. A body that ends in jeopardy is followed by such a check, so whoever called it learns
   * which of the two it was.
   *
   * <p>When this returns or throws, no interrupt of its own is pending. One of somebody else's is,
   * if it came before and the body has not answered it. (One that comes while that of a loss is
   * pending is one with it.)
   *
   * @throws LockTimeoutException if the wait timed out
   * @throws LockLostException if the grant was lost while the body ran, with what the body threw
   *     among the suppressed
   * @throws E what the body throws, unless the grant was lost
   */
  default <E extends Exception> void run(Duration wait, Body<E> body) throws E {
    call(
        AcquireOptions.within(wait),
        grant -> {
          body.run(grant);
          return true;
        });
  }

  /** Like {@link #run}, with a result, and with options. */
  <T, E extends Exception> T call(AcquireOptions options, Task<T, E> task) throws E;

  /** What is done while a lock is held. */
  @FunctionalInterface
  interface Body<E extends Exception> {
    /** Does it. */
    void run(Grant grant) throws E;
  }

  /** What is computed while a lock is held. */
  @FunctionalInterface
  interface Task<T, E extends Exception> {
    /** Computes it. */
    T call(Grant grant) throws E;
  }
}
