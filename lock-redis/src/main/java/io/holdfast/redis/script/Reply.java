package io.holdfast.redis.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The answer of a script: a list. Numbers are decimal texts, times are texts in microseconds. */
public record Reply(List<?> parts) {

  /** So many never overflow. */
  private static final int DIGITS_MAX = 18;

  public static Reply of(@Nullable Object answer) {
    if (answer instanceof List<?> list) {
      return new Reply(list);
    }
    throw new IllegalStateException("A script did not answer a list: " + answer);
  }

  public int size() {
    return parts.size();
  }

  public byte[] bytes(int index) {
    return (byte[]) parts.get(index);
  }

  public String text(int index) {
    return text(parts.get(index));
  }

  public static String text(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return new String(bytes, UTF_8);
    }
    throw new IllegalStateException("A script did not answer text: " + value);
  }

  public long number(int index) {
    byte[] digits = bytes(index);
    if (digits.length == 0 || digits.length > DIGITS_MAX) {
      return Long.parseLong(text(index));
    }
    long number = 0;
    for (byte digit : digits) {
      if (digit < '0' || digit > '9') {
        return Long.parseLong(text(index));
      }
      number = 10 * number + (digit - '0');
    }
    return number;
  }

  public Instant instant(int index) {
    return Instant.EPOCH.plus(number(index), ChronoUnit.MICROS);
  }

  public Duration duration(int index) {
    return Duration.of(number(index), ChronoUnit.MICROS);
  }

  /** Returns a duration; empty if the element is an empty text. */
  public Optional<Duration> optionalDuration(int index) {
    return text(index).isEmpty() ? Optional.empty() : Optional.of(duration(index));
  }

  /** Returns the elements from an index on. */
  public Reply from(int index) {
    return new Reply(parts.subList(index, parts.size()));
  }
}
