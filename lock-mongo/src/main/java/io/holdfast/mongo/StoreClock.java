package io.holdfast.mongo;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * An estimate of the server's clock that is never ahead of it: what a reply told, and the time
 * since by our monotonic clock, less the most by which it may run faster. It never goes back
 * either, so a clock that is set back lowers no number. Thread-safe.
 */
final class StoreClock {

  /** One in so many is what clocks may differ by in rate. */
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

  /** Makes a clock that knows nothing yet. */
  StoreClock(LongSupplier nanos) {
    this.nanos = nanos;
    this.last = new AtomicReference<>(new Reading(0, nanos.getAsLong()));
  }

  /** A reply that has just arrived told the server's time. */
  void told(Instant time) {
    long now = nanos.getAsLong();
    Reading reading = new Reading(micros(time), now);
    last.updateAndGet(known -> known.at(now) >= reading.micros ? known : reading);
  }

  /** Returns microseconds since 1970. */
  long micros() {
    return Objects.requireNonNull(last.get()).at(nanos.getAsLong());
  }

  static long micros(Duration time) {
    return time.toNanos() / NANOS_PER_MICRO;
  }

  static long millis(long micros) {
    return micros / 1_000;
  }

  static long micros(Instant time) {
    return time.toEpochMilli() * 1_000;
  }
}
