package io.holdfast.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.BackendUnusableException;
import io.holdfast.spi.NamespaceSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/**
 * A namespace as it is stored: lines {@code NAME=VALUE}.
 *
 * @param revision the revision that created its key
 * @param tokenBase what the numbers of grants are counted from: the first client's clock in
 *     microseconds, so that a namespace made anew, even in another cluster, goes on above
 */
record Namespace(long revision, NamespaceSettings settings, long tokenBase) {

  /** Returns what the first client writes. */
  static ByteSequence encode(NamespaceSettings settings) {
    return Keys.bytes(
        "protocol=%d\npartitions=%d\nmaxTtl=%s\nmaxClockStep=%s\ntokenBase=%d\n"
            .formatted(
                settings.protocol(),
                settings.partitions(),
                settings.maxTtl(),
                settings.maxClockStep(),
                ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())));
  }

  /**
   * Reads what is stored.
   *
   * @throws BackendUnusableException if this version of the library cannot
   */
  static Namespace of(KeyValue entry, String where) {
    Map<String, String> lines = new HashMap<>();
    for (String line : entry.getValue().toString(StandardCharsets.UTF_8).split("\n", -1)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        lines.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    try {
      return new Namespace(
          entry.getCreateRevision(),
          new NamespaceSettings(
              Integer.parseInt(lines.getOrDefault("protocol", "")),
              Integer.parseInt(lines.getOrDefault("partitions", "")),
              Duration.parse(lines.getOrDefault("maxTtl", "")),
              Duration.parse(lines.getOrDefault("maxClockStep", ""))),
          Long.parseLong(lines.getOrDefault("tokenBase", "")));
    } catch (RuntimeException e) {
      throw new BackendUnusableException(
          "The key %s at %s is not one of this library. Remove it, or use another prefix."
              .formatted(entry.getKey().toString(StandardCharsets.UTF_8), where),
          e);
    }
  }

  /** Returns the number of a grant. */
  long number(long createRevision) {
    return tokenBase + createRevision;
  }

  /** Returns the revision that a number was made of. */
  long createRevision(long number) {
    return number - tokenBase;
  }
}
