package io.holdfast.engine.session;

import java.util.OptionalLong;

/**
 * How many requests one look may ask for. What an adapter cannot read of one lock fails the look
 * for all of them, so for a time they are looked at one by one: longer than it takes until the one
 * is given up.
 */
final class LookSize {

  private static final int MOST = 1_000;
  private static final long ONE_BY_ONE_NANOS = 120_000_000_000L;

  private OptionalLong oneByOneUntilNanos = OptionalLong.empty();

  int most(long nowNanos) {
    boolean isOneByOne =
        oneByOneUntilNanos.isPresent() && nowNanos - oneByOneUntilNanos.getAsLong() < 0;
    return isOneByOne ? 1 : MOST;
  }

  /** A look at so many has failed, and repeating it seems useless. */
  void cannotRead(int requests, long nowNanos) {
    if (requests > 1) {
      oneByOneUntilNanos = OptionalLong.of(nowNanos + ONE_BY_ONE_NANOS);
    }
  }
}
