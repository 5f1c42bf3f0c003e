package io.holdfast.spi.support;

import io.holdfast.error.BadRequestException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Times in whole microseconds, for stores that keep no finer unit. */
public final class Micros {

  private Micros() {}

  /**
   * Returns a duration in microseconds. Refuses one that would lose precision, because a truncated
   * setting would differ from the given one when the next session is opened.
   *
   * @param what the name of the duration in messages
   * @throws BadRequestException if the duration is not in whole microseconds
   */
  public static long exactly(String what, Duration time) {
    long micros = time.toNanos() / 1_000;
    if (!Duration.of(micros, ChronoUnit.MICROS).equals(time)) {
      throw new BadRequestException("%s must be whole microseconds, not %s.".formatted(what, time));
    }
    return micros;
  }
}
