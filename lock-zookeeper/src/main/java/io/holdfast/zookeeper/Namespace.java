package io.holdfast.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.BackendUnusableException;
import io.holdfast.spi.NamespaceSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/**
 * A namespace as it is stored: lines {@code NAME=VALUE}.
 *
 * @param zxid the transaction that created its node
 * @param clockMicros the first client's clock in microseconds, from which the numbers of grants are
 *     counted: so that a namespace made anew, even in another ensemble, goes on above
 */
record Namespace(long zxid, NamespaceSettings settings, long clockMicros) {

  /** Returns what the first client writes. */
  static byte[] encode(NamespaceSettings settings) {
    return "protocol=%d\npartitions=%d\nmaxTtl=%s\nmaxClockStep=%s\nclockMicros=%d\n"
        .formatted(
            settings.protocol(),
            settings.partitions(),
            settings.maxTtl(),
            settings.maxClockStep(),
            ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()))
        .getBytes(UTF_8);
  }

  /**
   * Reads what is stored.
   *
   * @throws BackendUnusableException if this version of the library cannot
   */
  static Namespace of(Node node, String path, String where) {
    Map<String, String> lines = lines(node.data());
    try {
      return new Namespace(
          node.stat().getCzxid(),
          new NamespaceSettings(
              Integer.parseInt(lines.getOrDefault("protocol", "")),
              Integer.parseInt(lines.getOrDefault("partitions", "")),
              Duration.parse(lines.getOrDefault("maxTtl", "")),
              Duration.parse(lines.getOrDefault("maxClockStep", ""))),
          Long.parseLong(lines.getOrDefault("clockMicros", "")));
    } catch (RuntimeException e) {
      throw new BackendUnusableException(
          "The node %s at %s is not one of this library. Remove it, or use another path."
              .formatted(path, where),
          e);
    }
  }

  static Map<String, String> lines(byte[] data) {
    Map<String, String> lines = new HashMap<>();
    for (String line : new String(data, UTF_8).split("\n", -1)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        lines.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return lines;
  }

  /** Returns the number of a grant whose request the transaction created. */
  long number(long createZxid) {
    return clockMicros + (createZxid - zxid);
  }
}
