package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a script answered: a list, in which times and numbers are texts in microseconds. */
record Reply(List<?> parts) {

  static Reply of(@Nullable Object answer) {
    if (answer instanceof List<?> list) {
      return new Reply(list);
    }
    throw new IllegalStateException("A script answered something else than a list: " + answer);
  }

  int size() {
    return parts.size();
  }

  byte[] bytes(int index) {
    return (byte[]) parts.get(index);
  }

  String text(int index) {
    return text(parts.get(index));
  }

  static String text(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return new String(bytes, UTF_8);
    }
    throw new IllegalStateException("A script answered something else than text: " + value);
  }

  long number(int index) {
    return Long.parseLong(text(index));
  }

  Instant instant(int index) {
    return Instant.EPOCH.plus(number(index), ChronoUnit.MICROS);
  }

  Duration duration(int index) {
    return Duration.of(number(index), ChronoUnit.MICROS);
  }

  /** Returns a duration; empty if there is an empty text in its place. */
  Optional<Duration> optionalDuration(int index) {
    return text(index).isEmpty() ? Optional.empty() : Optional.of(duration(index));
  }

  /** Returns the rest from an index on. */
  Reply from(int index) {
    return new Reply(parts.subList(index, parts.size()));
  }
}
