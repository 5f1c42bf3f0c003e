package io.holdfast.mongo.namespace;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.NamespaceSettings;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.bson.BsonDocument;

/**
 * The namespace's document, whose form is the same in all versions.
 *
 * @param floor no new record of a lock may begin below it
 */
record StoredNamespace(NamespaceSettings settings, long floor) {

  static StoredNamespace read(BsonDocument document, String where) {
    try {
      return new StoredNamespace(
          new NamespaceSettings(
              (int) document.getInt64("protocol").getValue(),
              (int) document.getInt64("partitions").getValue(),
              duration(document, "maxTtl"),
              duration(document, "maxClockStep")),
          document.getInt64("floor").getValue());
    } catch (RuntimeException e) {
      throw new BackendUnusableException(
          "The settings of the locks at %s cannot be read (%s). Use another prefix for the collections, or delete these while no client uses them."
              .formatted(where, e.getMessage()),
          e);
    }
  }

  private static Duration duration(BsonDocument document, String field) {
    return Duration.of(document.getInt64(field).getValue(), ChronoUnit.MICROS);
  }
}
