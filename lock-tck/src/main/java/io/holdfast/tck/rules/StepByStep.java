package io.holdfast.tck.rules;

import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A hook that holds a call up before each of its atomic steps until it is let through. */
final class StepByStep implements Runnable {

  private static final long SECONDS_MAX = 30;

  private final Semaphore arrivals = new Semaphore(0);
  private final Semaphore permits = new Semaphore(0);
  private volatile boolean armed;
  private volatile boolean done;

  @Override
  public void run() {
    if (armed) {
      arrivals.release();
      try {
        if (!permits.tryAcquire(SECONDS_MAX, TimeUnit.SECONDS)) {
          throw new IllegalStateException("Nobody let this step through.");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted before a step.", e);
      }
    }
  }

  /** Returns the call with every step of it held up; one such call at a time. */
  Callable<Boolean> heldUp(Runnable call) {
    done = false;
    arrivals.drainPermits();
    permits.drainPermits();
    return () -> {
      armed = true;
      try {
        call.run();
        return true;
      } finally {
        armed = false;
        done = true;
        arrivals.release();
      }
    };
  }

  /** Returns when the call is before a step, or at its end. */
  void awaitArrival() throws InterruptedException, TimeoutException {
    if (!arrivals.tryAcquire(SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new TimeoutException("A step waits for another client's next step.");
    }
  }

  /** Returns whether the call is before a step. */
  boolean canGo() {
    return !done;
  }

  /** Lets one step through, and returns when it was done. */
  void go() throws InterruptedException, TimeoutException {
    permits.release();
    awaitArrival();
  }
}
