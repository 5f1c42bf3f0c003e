package io.holdfast.tck.rules;

import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A deadline that passes when a test wants it to, and takes no time. Thread-safe. */
final class PassingDeadline {

  private static final Duration TIME = Duration.ofSeconds(20);

  private final AtomicInteger readings = new AtomicInteger();
  private final int lastInTime;
  private volatile boolean passed;

  private PassingDeadline(int lastInTime) {
    this.lastInTime = lastInTime;
  }

  /** Returns one that is over when it is asked for the so-manieth time, 1 being the first. */
  static PassingDeadline whenAsked(int times) {
    // The clock is read once more, when the deadline is made.
    return new PassingDeadline(times);
  }

  /** Returns one that is over after {@link #pass}. */
  static PassingDeadline whenTold() {
    return new PassingDeadline(Integer.MAX_VALUE);
  }

  /** Returns the deadline; to be called once. */
  Deadline deadline() {
    return Deadline.in(TIME, this::nanos);
  }

  /** It is over from now on. */
  void pass() {
    passed = true;
  }

  /** Returns whether somebody has asked since it is over. */
  boolean wasSeen() {
    return readings.get() > lastInTime;
  }

  private long nanos() {
    return readings.incrementAndGet() > lastInTime || passed ? TIME.toNanos() : 0;
  }
}
