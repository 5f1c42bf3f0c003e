package io.holdfast.spi;

import java.time.Duration;
import java.util.function.LongSupplier;

/** The moment by which a call to the store must have returned. */
public final class Deadline {

  /** A longer time cannot be counted in nanoseconds. */
  private static final Duration COUNTED_MAX = Duration.ofDays(365L * 100);

  private final LongSupplier nanos;
  private final long endNanos;

  private Deadline(LongSupplier nanos, long endNanos) {
    this.nanos = nanos;
    this.endNanos = endNanos;
  }

  /** Returns a deadline at the given time from now, by the system's monotonic clock. */
  public static Deadline in(Duration time) {
    return in(time, System::nanoTime);
  }

  /** Returns a deadline at the given time from now, by a monotonic clock in nanoseconds. */
  public static Deadline in(Duration time, LongSupplier nanos) {
    Duration counted = time.compareTo(COUNTED_MAX) < 0 ? time : COUNTED_MAX;
    return new Deadline(nanos, nanos.getAsLong() + counted.toNanos());
  }

  /** Returns the time left; zero if the deadline has passed. */
  public Duration remaining() {
    return Duration.ofNanos(remainingNanos());
  }

  private long remainingNanos() {
    return Math.max(0, endNanos - nanos.getAsLong());
  }

  /** Returns the time left in milliseconds, rounded up; zero if the deadline has passed. */
  public int remainingMillis() {
    // Without an overflow, however long the time is.
    long nanos = remainingNanos();
    long millis = nanos / 1_000_000 + (nanos % 1_000_000 == 0 ? 0 : 1);
    return (int) Math.min(Integer.MAX_VALUE, millis);
  }

  /** Returns whether the deadline has passed. */
  public boolean hasPassed() {
    return endNanos - nanos.getAsLong() <= 0;
  }
}
