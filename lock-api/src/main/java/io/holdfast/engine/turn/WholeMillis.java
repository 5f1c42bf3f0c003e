package io.holdfast.engine.turn;

import java.time.Duration;

/**
 * Times as they are sent to stores, which count milliseconds or microseconds: rounded up, so that
 * no time is shorter than the one that was asked for.
 */
public final class WholeMillis {

  private WholeMillis() {}

  public static Duration roundedUp(Duration time) {
    return time.isZero() ? time : Duration.ofMillis(time.plusNanos(999_999).toMillis());
  }
}
