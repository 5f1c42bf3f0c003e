package io.holdfast.spi;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/**
 * A text form of a namespace's record, for stores that keep nothing but bytes and count grants
 * instead of reading a clock: lines {@code NAME=VALUE}.
 *
 * @param settings the namespace's
 * @param clockMicros the first client's clock in microseconds since 1970, from which the numbers of
 *     grants are counted: so that a namespace made anew, even in another store, goes on above
 */
public record NamespaceText(NamespaceSettings settings, long clockMicros) {

  /** Returns what the first client writes. */
  public static NamespaceText first(NamespaceSettings settings) {
    return new NamespaceText(settings, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }

  /**
   * Reads a text; lines that it does not know are passed over.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public static NamespaceText parse(String text) {
    Map<String, String> lines = lines(text);
    try {
      return new NamespaceText(
          new NamespaceSettings(
              Integer.parseInt(lines.getOrDefault("protocol", "")),
              Integer.parseInt(lines.getOrDefault("partitions", "")),
              Duration.parse(lines.getOrDefault("maxTtl", "")),
              Duration.parse(lines.getOrDefault("maxClockStep", ""))),
          Long.parseLong(lines.getOrDefault("clockMicros", "")));
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("Not a namespace: " + text, e);
    }
  }

  /** Returns the values of lines {@code NAME=VALUE} by their names; others are passed over. */
  public static Map<String, String> lines(String text) {
    Map<String, String> lines = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        lines.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return lines;
  }

  /** Returns the text. */
  public String encode() {
    return "protocol=%d\npartitions=%d\nmaxTtl=%s\nmaxClockStep=%s\nclockMicros=%d\n"
        .formatted(
            settings.protocol(),
            settings.partitions(),
            settings.maxTtl(),
            settings.maxClockStep(),
            clockMicros);
  }
}
