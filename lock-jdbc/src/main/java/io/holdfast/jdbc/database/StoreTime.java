package io.holdfast.jdbc.database;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as they lie in the tables: whole microseconds. */
public final class StoreTime {

  private StoreTime() {}

  public static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  public static Duration duration(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  public static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }
}
