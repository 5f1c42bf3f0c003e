package io.holdfast.jdbc.h2;

import java.util.concurrent.atomic.AtomicInteger;

/** Keeps each thread for a moment that asks a database for its time, and counts the interrupted. */
public final class SlowClock {

  /** Makes it the clock of a database that the library finds. */
  static final String CREATE =
      "CREATE ALIAS holdfast_millis FOR '%s.millis'".formatted(SlowClock.class.getName());

  private static final AtomicInteger INTERRUPTED = new AtomicInteger();

  private SlowClock() {}

  /** Returns how many threads were interrupted inside since it was last asked. */
  static int interrupted() {
    return INTERRUPTED.getAndSet(0);
  }

  /** Called by the database on the thread that executes a statement. */
  public static long millis() {
    try {
      Thread.sleep(2);
    } catch (InterruptedException e) {
      INTERRUPTED.incrementAndGet();
      Thread.currentThread().interrupt();
    }
    return System.currentTimeMillis();
  }
}
