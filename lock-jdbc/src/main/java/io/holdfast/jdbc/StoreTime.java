package io.holdfast.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as they lie in the tables: whole microseconds. */
final class StoreTime {

  private StoreTime() {}

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  static Duration duration(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }
}
