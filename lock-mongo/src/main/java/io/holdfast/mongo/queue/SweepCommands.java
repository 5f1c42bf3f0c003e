package io.holdfast.mongo.queue;

import static io.holdfast.mongo.connection.Documents.TRUE;
import static io.holdfast.mongo.connection.Documents.doc;
import static io.holdfast.mongo.connection.Documents.exists;
import static io.holdfast.mongo.connection.Documents.number;
import static io.holdfast.mongo.connection.Documents.text;

import io.holdfast.mongo.connection.Update;
import java.time.Instant;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/** The commands that sweep locks which no client has touched for long. */
public final class SweepCommands {

  /** The head, and whether it would leave others that share the lock with it. */
  public static final BsonDocument HEAD_AND_NEXT = LockCommands.slice(2).append("stays", number(1));

  private SweepCommands() {}

  public static BsonDocument freeSince(Instant before) {
    return untouchedSince(before).append("queue.0", exists(false));
  }

  public static BsonDocument heldSince(Instant before) {
    return untouchedSince(before).append("queue.0", exists(true));
  }

  public static BsonDocument freeAfter(Instant time) {
    return touchedAfter(time).append("queue.0", exists(false));
  }

  public static BsonDocument heldAfter(Instant time) {
    return touchedAfter(time).append("queue.0", exists(true));
  }

  private static BsonDocument touchedAfter(Instant time) {
    return doc("since", doc("$gt", new BsonDateTime(time.toEpochMilli())));
  }

  private static BsonDocument untouchedSince(Instant before) {
    return doc("since", doc("$lt", new BsonDateTime(before.toEpochMilli())));
  }

  /** Sets the time of a lock's last change to now, and changes nothing else. */
  public static Update restamp() {
    return new Update(
        doc("$currentDate", doc("since", TRUE)).append("$inc", doc("looks", number(1L))),
        LockCommands.HEAD);
  }

  /** Matches a held record while its head is the same as when it was read. */
  public static BsonDocument held(LockDocument snapshot) {
    return LockCommands.unchangedNumber(snapshot)
        .append(LockCommands.HEAD_REQUEST, text(snapshot.queue().get(0).request()));
  }

  /** Matches a free record that has not changed since it was read. */
  public static BsonDocument deletable(LockDocument snapshot) {
    return LockCommands.unchangedNumber(snapshot).append("queue.0", exists(false));
  }
}
