package io.holdfast.tck.process;

import java.util.concurrent.ThreadLocalRandom;

/** The seeds of the random choices of a run. */
final class Seeds {

  private static final String PROPERTY = "holdfast.tck.seed";

  private Seeds() {}

  /** Returns the seed that is to be replayed, or another one each time. */
  static long next() {
    Long replayed = Long.getLong(PROPERTY);
    return replayed != null ? replayed : ThreadLocalRandom.current().nextLong();
  }

  /** Says how to make the same random choices again. */
  static String replay(long seed) {
    return "-D%s=%s".formatted(PROPERTY, seed);
  }
}
