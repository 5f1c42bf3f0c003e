package io.holdfast.spi;

import io.holdfast.BadRequestException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Times as stores keep them that know no finer unit: whole microseconds. */
public final class Micros {

  private Micros() {}

  /**
   * Returns a time that loses nothing by being kept so. A setting that were cut off would differ
   * from itself at the next opening.
   *
   * @param what how it is called in messages
   * @throws BadRequestException if it is not whole microseconds
   */
  public static long exactly(String what, Duration time) {
    long micros = time.toNanos() / 1_000;
    if (!Duration.of(micros, ChronoUnit.MICROS).equals(time)) {
      throw new BadRequestException("%s must be whole microseconds, not %s.".formatted(what, time));
    }
    return micros;
  }
}
