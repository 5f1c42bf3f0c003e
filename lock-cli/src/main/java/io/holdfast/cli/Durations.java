package io.holdfast.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads durations as people write them: {@code 500ms}, {@code 10s}, {@code 1h30m}, {@code PT5S}.
 */
final class Durations implements ITypeConverter<Duration> {

  @Override
  public Duration convert(String text) {
    return parse(text);
  }

  static Duration parse(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    try {
      return text.startsWith("P") ? Duration.parse(text) : parseParts(text);
    } catch (DateTimeParseException | ArithmeticException | NumberFormatException e) {
      throw notOne(text);
    }
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
      default -> throw notOne(text);
    };
  }

  /** Writes a duration for people, in the largest unit that leaves something before the point. */
  static String show(Duration duration) {
    long millis = duration.toMillis();
    if (millis < 1000) {
      return millis + " ms";
    }
    if (millis < 120_000) {
      return "%d.%d s".formatted(millis / 1000, millis % 1000 / 100);
    }
    return "%d min".formatted(millis / 60_000);
  }

  private static TypeConversionException notOne(String text) {
    return new TypeConversionException(
        "'%s' is not a duration; write it like 500ms, 10s, 2m, 1h30m or PT10S".formatted(text));
  }
}
