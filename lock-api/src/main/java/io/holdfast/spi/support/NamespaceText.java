package io.holdfast.spi.support;

import io.holdfast.spi.NamespaceSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/**
 * A text form of a namespace's record, in lines {@code NAME=VALUE}. Meant for stores that keep only
 * bytes and that count grants instead of reading a clock.
 *
 * @param settings the namespace's settings
 * @param clockMicros the first client's clock in microseconds since 1970. The numbers of grants are
 *     counted from it, so that a namespace that is created again, even in another store, continues
 *     with greater numbers
 */
public record NamespaceText(NamespaceSettings settings, long clockMicros) {

  /** Returns the record that the first client writes. */
  public static NamespaceText first(NamespaceSettings settings) {
    return new NamespaceText(settings, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }

  /**
   * Reads a text; unknown lines are ignored.
   *
   * @throws IllegalArgumentException if the text is not the record of a namespace
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

  /** Returns the values of lines {@code NAME=VALUE} by their names; other lines are ignored. */
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

  /** Returns the text form. */
  public String encode() {
    return "protocol=%s\npartitions=%s\nmaxTtl=%s\nmaxClockStep=%s\nclockMicros=%s\n"
        .formatted(
            settings.protocol(),
            settings.partitions(),
            settings.maxTtl(),
            settings.maxClockStep(),
            clockMicros);
  }
}
