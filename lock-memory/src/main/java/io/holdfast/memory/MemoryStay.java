package io.holdfast.memory;

import io.holdfast.record.Stay;
import java.time.Duration;
import java.util.Optional;

/**
 * A time by the store's clock.
 *
 * @param reason what it is for
 * @param began when it began
 * @param length how long it lasts
 */
record MemoryStay(Stay.Reason reason, Stamp began, Duration length) {

  /** The rest of it; empty if that cannot be judged. */
  Optional<Duration> left(Stamp now) {
    return began
        .age(now)
        .map(age -> age.compareTo(length) >= 0 ? Duration.ZERO : length.minus(age));
  }

  /** Of this one and another that begins now, the one that ends first. */
  MemoryStay endingFirst(MemoryStay next, Stamp now) {
    Duration left = left(now).orElse(length);
    return next.length.compareTo(left) < 0 ? next : this;
  }
}
