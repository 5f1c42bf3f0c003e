package io.holdfast.tck.faults;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls that do not go on until the test {@link #release}s them; those whose deadline passes first
 * fail, as a backend has to see to. Interruptible.
 */
public final class Hang implements Fault {

  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger hanging = new AtomicInteger();
  private final AtomicInteger met = new AtomicInteger();

  private final boolean heedsDeadlines;

  /** Makes a fault that holds up every call that meets it. */
  public Hang() {
    this(true);
  }

  private Hang(boolean heedsDeadlines) {
    this.heedsDeadlines = heedsDeadlines;
  }

  /** Makes one whose calls do not fail at their deadlines either, which no backend should do. */
  public static Hang beyondDeadlines() {
    return new Hang(false);
  }

  @Override
  public Object meet(Invocation call) {
    met.incrementAndGet();
    hanging.incrementAndGet();
    try {
      if (!heedsDeadlines) {
        released.await();
      } else if (!released.await(call.deadline().remaining().toNanos(), TimeUnit.NANOSECONDS)) {
        throw new BackendFailure(Effect.UNKNOWN, "Injected: no answer in time.", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendFailure(Effect.UNKNOWN, "Injected: interrupted while hanging.", e);
    } finally {
      hanging.decrementAndGet();
    }
    return call.proceed();
  }

  /** Returns how many calls hang at present. */
  public int hanging() {
    return hanging.get();
  }

  /** Returns how many calls it has held up so far, also those that have failed since. */
  public int met() {
    return met.get();
  }

  /** Lets them go on, and those that come. */
  public void release() {
    released.countDown();
  }
}
