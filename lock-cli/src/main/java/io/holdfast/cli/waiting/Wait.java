package io.holdfast.cli.waiting;

import io.holdfast.cli.output.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * How long to wait for a lock.
 *
 * @param limit the longest time to wait; zero means one attempt, empty means no limit
 */
public record Wait(Optional<Duration> limit) {

  public static final Wait FOREVER = new Wait(Optional.empty());
  public static final Wait NOT_AT_ALL = new Wait(Optional.of(Duration.ZERO));

  /**
   * Written out, because the argument parser calls it at each start, and the first call of a
   * record's generated method takes a JVM a tenth of a second.
   */
  @Override
  public String toString() {
    return limit.map(Duration::toString).orElse("forever");
  }

  /**
   * Reads {@code forever} or a duration.
   *
   * @throws Durations.NotOneException if the text is neither
   */
  public static Wait parse(String text) {
    return text.equals("forever") ? FOREVER : new Wait(Optional.of(Durations.parse(text)));
  }
}
