package io.holdfast.mongo;

import static io.holdfast.mongo.Docs.doc;
import static io.holdfast.mongo.Docs.fields;
import static io.holdfast.mongo.Docs.number;
import static io.holdfast.mongo.Docs.text;

import io.holdfast.BackendUnusableException;
import io.holdfast.mongo.MongoNames.Part;
import io.holdfast.spi.Micros;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The namespace's document: its settings, times in microseconds, and the floor, below which no new
 * record of a lock may begin. Thread-safe.
 */
final class Namespace {

  private static final BsonDocument KEY = doc("_id", text("namespace"));
  private static final BsonDocument FIELDS =
      fields("protocol", "partitions", "maxTtl", "maxClockStep", "floor", "swept");

  private final NamespaceWish wish;
  private volatile @Nullable NamespaceSettings known;
  private volatile long floor;

  Namespace(NamespaceWish wish) {
    this.wish = wish;
  }

  /**
   * Returns the settings after comparing them with what this client was told; writes them first.
   */
  NamespaceSettings require(Call call) {
    NamespaceSettings settings = read(call).orElseGet(() -> write(call));
    settings.requireReadable(call.describe());
    wish.requireMetBy(settings, call.describe());
    return settings;
  }

  /** Returns the settings; the defaults where nobody has come yet. */
  NamespaceSettings settings(Call call) {
    @Nullable NamespaceSettings settings = known;
    return settings != null ? settings : read(call).orElseGet(wish::orDefaults);
  }

  /** Returns the floor as it was last read here, which was at the last opening of a session. */
  long floor() {
    return floor;
  }

  /** Returns the floor as it is. */
  long readFloor(Call call) {
    read(call);
    return floor;
  }

  /** Returns the server's time; empty where nobody has opened a session yet. */
  Optional<Instant> beginSweep(Call call) {
    Update sweep =
        new Update(
            doc("$currentDate", doc("swept", Docs.TRUE)).append("$inc", doc("sweeps", number(1L))),
            FIELDS);
    return call.change(Part.NAMESPACE, KEY, sweep)
        .map(document -> Instant.ofEpochMilli(document.getDateTime("swept").getValue()));
  }

  void raiseFloor(Call call, long number) {
    Update raise =
        new Update(
            doc("$max", doc("floor", number(number))).append("$inc", doc("sweeps", number(1L))),
            FIELDS);
    call.change(Part.NAMESPACE, KEY, raise)
        .ifPresent(document -> remember(document, call.describe()));
  }

  private Optional<NamespaceSettings> read(Call call) {
    return call.find(Part.NAMESPACE, KEY, FIELDS, "_id", 1).stream()
        .findFirst()
        .map(document -> remember(document, call.describe()));
  }

  private NamespaceSettings write(Call call) {
    NamespaceSettings wished = wish.orDefaults();
    Update first =
        new Update(
            doc(
                    "$setOnInsert",
                    doc("protocol", number((long) wished.protocol()))
                        .append("partitions", number((long) wished.partitions()))
                        .append("maxTtl", number(Micros.exactly("maxTtl", wished.maxTtl())))
                        .append(
                            "maxClockStep",
                            number(Micros.exactly("maxClockStep", wished.maxClockStep())))
                        .append("floor", number(0L)))
                .append("$inc", doc("sweeps", number(1L))),
            FIELDS);
    // Not what was wished: somebody else may have been first.
    BsonDocument document =
        call.changeOrMake(Part.NAMESPACE, KEY, first)
            .orElseGet(() -> call.find(Part.NAMESPACE, KEY, FIELDS, "_id", 1).get(0));
    return remember(document, call.describe());
  }

  private NamespaceSettings remember(BsonDocument document, String where) {
    try {
      NamespaceSettings settings =
          new NamespaceSettings(
              (int) document.getInt64("protocol").getValue(),
              (int) document.getInt64("partitions").getValue(),
              duration(document, "maxTtl"),
              duration(document, "maxClockStep"));
      floor = document.getInt64("floor").getValue();
      known = settings;
      return settings;
    } catch (RuntimeException e) {
      throw new BackendUnusableException(
          "The settings of the locks at %s cannot be read (%s). Use another prefix for the collections, or delete these while nobody uses them."
              .formatted(where, e.getMessage()),
          e);
    }
  }

  private static Duration duration(BsonDocument document, String field) {
    return Duration.of(document.getInt64(field).getValue(), ChronoUnit.MICROS);
  }
}
