package io.holdfast.cli.waiting;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** The rest of a wait, which may not have begun yet. Not thread-safe. */
public final class WaitLeft {

  private final Wait wait;
  private OptionalLong startNanos = OptionalLong.empty();

  public WaitLeft(Wait wait) {
    this.wait = wait;
  }

  /** Begins the wait, unless it has begun. */
  void begin() {
    if (startNanos.isEmpty()) {
      startNanos = OptionalLong.of(System.nanoTime());
    }
  }

  /** Returns the rest of the wait; zero means one attempt, empty means no limit. */
  public Optional<Duration> limit() {
    Optional<Duration> whole = wait.limit();
    return whole.isEmpty() || startNanos.isEmpty() ? whole : Optional.of(after(whole.get()));
  }

  private Duration after(Duration whole) {
    Duration left = whole.minusNanos(System.nanoTime() - startNanos.getAsLong());
    return left.isNegative() ? Duration.ZERO : left;
  }
}
