package io.holdfast.cli.output;

import java.time.Duration;
import java.time.format.DateTimeParseException;

/**
 * Reads durations as people write them: {@code 500ms}, {@code 10s}, {@code 1h30m}, {@code PT5S}.
 */
public final class Durations {

  /** Longer than any process lives, and short enough to be counted in any unit. */
  private static final Duration CENTURY = Duration.ofDays(365L * 100);

  private Durations() {}

  /** A text that is not a duration; the message says how one is written. */
  public static final class NotOneException extends RuntimeException {
    NotOneException(String text) {
      super("'" + text + "' is not a duration; write it like 500ms, 10s, 2m, 1h30m or PT10S");
    }
  }

  /**
   * Reads a duration. One that is longer than a hundred years is read as a hundred years.
   *
   * @throws NotOneException if the text is none
   */
  public static Duration parse(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    try {
      return countable(text.startsWith("P") ? Duration.parse(text) : parseParts(text));
    } catch (DateTimeParseException | ArithmeticException | NumberFormatException e) {
      throw new NotOneException(text);
    }
  }

  private static Duration countable(Duration duration) {
    if (duration.compareTo(CENTURY.negated()) < 0) {
      return CENTURY.negated();
    }
    return duration.compareTo(CENTURY) < 0 ? duration : CENTURY;
  }

  private static Duration parseParts(String text) {
    Duration sum = Duration.ZERO;
    int at = 0;
    do {
      int unitAt = skip(text, at, true);
      int end = skip(text, unitAt, false);
      long count = Long.parseLong(text, at, unitAt, 10);
      sum = sum.plus(unit(text, text.substring(unitAt, end)).multipliedBy(count));
      at = end;
    } while (at < text.length());
    return sum;
  }

  private static int skip(String text, int from, boolean digits) {
    int at = from;
    while (at < text.length() && (text.charAt(at) >= '0' && text.charAt(at) <= '9') == digits) {
      at++;
    }
    return at;
  }

  private static Duration unit(String text, String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(1);
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      case "d" -> Duration.ofDays(1);
      default -> throw new NotOneException(text);
    };
  }

  /**
   * Returns a duration in text for people: milliseconds below 1 s, seconds below 2 min, else
   * minutes.
   */
  public static String show(Duration duration) {
    long millis = duration.toMillis();
    if (millis < 1000) {
      return millis + " ms";
    }
    if (millis < 120_000) {
      return "%s.%s s".formatted(millis / 1000, millis % 1000 / 100);
    }
    return "%s min".formatted(millis / 60_000);
  }

  /** Returns a duration in at most six characters up to 99 days: the two greatest units of it. */
  public static String brief(Duration duration) {
    long seconds = Math.max(0, duration.toSeconds());
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3_600) {
      return two(seconds / 60, "m", seconds % 60, "s");
    }
    long hours = seconds / 3_600;
    return hours < 48
        ? two(hours, "h", seconds / 60 % 60, "m")
        : two(hours / 24, "d", hours % 24, "h");
  }

  /** In the digits of ASCII, in every locale. */
  private static String two(long greater, String unit, long less, String lessUnit) {
    return greater + unit + (less < 10 ? "0" : "") + less + lessUnit;
  }
}
