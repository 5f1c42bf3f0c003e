package io.holdfast.mongo.clock;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * An estimate of the server's clock that is never ahead of it: the time in the last reply, plus the
 * time since then by our monotonic clock, minus the most by which our clock may run faster. The
 * estimate never goes back, so setting the server's clock back lowers no number. Thread-safe.
 */
public final class StoreClock {

  /** The rates of two clocks differ by less than one part in this many. */
  private static final long RATE_MARGIN = 100;

  private static final long NANOS_PER_MICRO = 1_000;

  private final LongSupplier nanos;
  private final AtomicReference<Reading> last;

  private record Reading(long micros, long nanos) {

    long at(long now) {
      long passed = Math.max(0, now - nanos);
      return micros + (passed - passed / RATE_MARGIN) / NANOS_PER_MICRO;
    }
  }

  /** Creates a clock without a reading, which begins at 1970. */
  public StoreClock(LongSupplier nanos) {
    this.nanos = nanos;
    this.last = new AtomicReference<>(new Reading(0, nanos.getAsLong()));
  }

  /** Takes the server's time from a reply that has just arrived. */
  public void observe(Instant time) {
    long now = nanos.getAsLong();
    Reading reading = new Reading(micros(time), now);
    last.updateAndGet(known -> known.at(now) >= reading.micros ? known : reading);
  }

  /** Returns the estimate, in microseconds since 1970. */
  public long micros() {
    return Objects.requireNonNull(last.get()).at(nanos.getAsLong());
  }

  public static long micros(Duration time) {
    return time.toNanos() / NANOS_PER_MICRO;
  }

  public static long millis(long micros) {
    return micros / 1_000;
  }

  public static long micros(Instant time) {
    return time.toEpochMilli() * 1_000;
  }
}
