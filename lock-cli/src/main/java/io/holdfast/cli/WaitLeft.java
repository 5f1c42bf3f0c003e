package io.holdfast.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** What is left of a wait that has perhaps begun. Not thread-safe. */
final class WaitLeft {

  private final Wait wait;
  private OptionalLong startNanos = OptionalLong.empty();

  WaitLeft(Wait wait) {
    this.wait = wait;
  }

  /** Lets the wait begin, unless it has. */
  void begin() {
    if (startNanos.isEmpty()) {
      startNanos = OptionalLong.of(System.nanoTime());
    }
  }

  /** Returns how long may still be waited: zero is one attempt, empty is for ever. */
  Optional<Duration> limit() {
    return wait.limit().map(whole -> startNanos.isEmpty() ? whole : after(whole));
  }

  private Duration after(Duration whole) {
    Duration left = whole.minusNanos(System.nanoTime() - startNanos.getAsLong());
    return left.isNegative() ? Duration.ZERO : left;
  }
}
