package io.holdfast.mongo.namespace;

import static io.holdfast.mongo.connection.Documents.doc;
import static io.holdfast.mongo.connection.Documents.fields;
import static io.holdfast.mongo.connection.Documents.number;
import static io.holdfast.mongo.connection.Documents.text;

import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.connection.Documents;
import io.holdfast.mongo.connection.Update;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.support.Micros;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The namespace's document: its settings, with times in microseconds, and the floor. No new record
 * of a lock may begin below the floor. Thread-safe.
 */
public final class Namespace {

  /** The version of the layout of our documents. */
  public static final int PROTOCOL = 2;

  static final BsonDocument KEY = doc("_id", text("namespace"));
  static final BsonDocument FIELDS =
      fields("protocol", "partitions", "maxTtl", "maxClockStep", "floor", "swept");

  private final NamespaceWish wish;
  private volatile @Nullable NamespaceSettings known;
  private volatile long floor;

  public Namespace(NamespaceWish wish) {
    this.wish = wish;
  }

  /**
   * Checks that the collections are of the version that this library reads, if there are any. Else
   * a document of another version would be taken for a damaged one.
   */
  public static void requireReadable(CommandSender sender) {
    find(sender).forEach(document -> readable(document, sender.describe()));
  }

  /**
   * Returns the settings, after checking them against those that this client asks for. Writes them
   * first if there are none.
   */
  public NamespaceSettings require(CommandSender sender) {
    NamespaceSettings settings = read(sender).orElseGet(() -> write(sender));
    wish.requireMetBy(settings, sender.describe());
    return settings;
  }

  /** Returns the settings; the defaults if no client has opened a session yet. */
  public NamespaceSettings settings(CommandSender sender) {
    @Nullable NamespaceSettings settings = known;
    return settings != null ? settings : read(sender).orElseGet(wish::orDefaults);
  }

  /** Returns the floor as this client last read it. Each opening of a session reads it. */
  public long floor() {
    return floor;
  }

  /** Reads the floor. */
  public long readFloor(CommandSender sender) {
    read(sender);
    return floor;
  }

  /** Returns the server's time; empty if no client has opened a session yet. */
  public Optional<Instant> beginSweep(CommandSender sender) {
    Update sweep =
        new Update(
            doc("$currentDate", doc("swept", Documents.TRUE))
                .append("$inc", doc("sweeps", number(1L))),
            FIELDS);
    return sender
        .change(CollectionRole.NAMESPACE, KEY, sweep)
        .map(document -> Instant.ofEpochMilli(document.getDateTime("swept").getValue()));
  }

  public void raiseFloor(CommandSender sender, long number) {
    Update raise =
        new Update(
            doc("$max", doc("floor", number(number))).append("$inc", doc("sweeps", number(1L))),
            FIELDS);
    sender
        .change(CollectionRole.NAMESPACE, KEY, raise)
        .ifPresent(document -> remember(document, sender.describe()));
  }

  private Optional<NamespaceSettings> read(CommandSender sender) {
    return find(sender).stream().findFirst().map(document -> remember(document, sender.describe()));
  }

  static List<BsonDocument> find(CommandSender sender) {
    return sender.find(CollectionRole.NAMESPACE, KEY, FIELDS, "_id", 1);
  }

  private NamespaceSettings write(CommandSender sender) {
    NamespaceSettings wished = wish.orDefaults();
    Update first =
        new Update(
            doc(
                    "$setOnInsert",
                    doc("protocol", number((long) PROTOCOL))
                        .append("partitions", number((long) wished.partitions()))
                        .append("maxTtl", number(Micros.exactly("maxTtl", wished.maxTtl())))
                        .append(
                            "maxClockStep",
                            number(Micros.exactly("maxClockStep", wished.maxClockStep())))
                        .append("floor", number(0L)))
                .append("$inc", doc("sweeps", number(1L))),
            FIELDS);
    // Read the stored one: another client may have been first.
    BsonDocument document =
        sender
            .changeOrMake(CollectionRole.NAMESPACE, KEY, first)
            .orElseGet(() -> find(sender).get(0));
    return remember(document, sender.describe());
  }

  private NamespaceSettings remember(BsonDocument document, String where) {
    StoredNamespace stored = readable(document, where);
    floor = stored.floor();
    known = stored.settings();
    return stored.settings();
  }

  private static StoredNamespace readable(BsonDocument document, String where) {
    StoredNamespace stored = StoredNamespace.read(document, where);
    stored.settings().requireReadable(where, PROTOCOL);
    return stored;
  }
}
