package io.holdfast.engine.seam;

import org.slf4j.Logger;

/**
 * Logs what the application's code has thrown, where nothing may follow from that. Logging it can
 * fail as well: an exception may throw when it is asked for its message, and so may an appender.
 */
public final class SafeLog {

  private SafeLog() {}

  /** Never throws. */
  public static void error(Logger log, String text, Throwable thrown) {
    try {
      log.error(text, thrown);
    } catch (Throwable second) { // Languages that do not check exceptions throw any.
      withoutItsMessage(log, text, thrown);
    }
  }

  private static void withoutItsMessage(Logger log, String text, Throwable thrown) {
    try {
      log.error("{}; it cannot be logged: {}", text, thrown.getClass().getName());
    } catch (Throwable third) {
      return; // No reader is left to tell.
    }
  }
}
