package io.holdfast.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A moment by the store's clock.
 *
 * @param micros since 1970
 * @param incarnation the incarnation of the store whose clock it was
 */
public record Stamp(long micros, int incarnation) {

  /**
   * Returns how long ago this was; empty if it cannot be judged, because it was written by the
   * clock of another incarnation, or lies in the future.
   */
  Optional<Duration> age(Stamp now) {
    return incarnation == now.incarnation && micros <= now.micros
        ? Optional.of(Duration.of(now.micros - micros, ChronoUnit.MICROS))
        : Optional.empty();
  }

  Instant instant() {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
