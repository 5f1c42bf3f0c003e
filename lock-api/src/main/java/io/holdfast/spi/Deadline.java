package io.holdfast.spi;

import java.time.Duration;
import java.util.function.LongSupplier;

/** The moment by which a call to the store must have returned. */
public final class Deadline {

  private final LongSupplier nanos;
  private final long endNanos;

  private Deadline(LongSupplier nanos, long endNanos) {
    this.nanos = nanos;
    this.endNanos = endNanos;
  }

  /** Returns the deadline that is so far away, by the system's monotonic clock. */
  public static Deadline in(Duration time) {
    return in(time, System::nanoTime);
  }

  /** Returns the deadline that is so far away, by a monotonic clock in nanoseconds. */
  public static Deadline in(Duration time, LongSupplier nanos) {
    return new Deadline(nanos, nanos.getAsLong() + time.toNanos());
  }

  /** Returns the time left, zero if it has passed. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, endNanos - nanos.getAsLong()));
  }

  /** Returns the time left in milliseconds, rounded up; zero if it has passed. */
  public int remainingMillis() {
    long millis = (remaining().toNanos() + 999_999) / 1_000_000;
    return (int) Math.min(Integer.MAX_VALUE, millis);
  }

  /** Returns whether it has passed. */
  public boolean hasPassed() {
    return endNanos - nanos.getAsLong() <= 0;
  }
}
