package io.holdfast.mongo.queue;

import static io.holdfast.mongo.connection.Documents.TRUE;
import static io.holdfast.mongo.connection.Documents.doc;
import static io.holdfast.mongo.connection.Documents.exists;
import static io.holdfast.mongo.connection.Documents.number;
import static io.holdfast.mongo.connection.Documents.text;

import io.holdfast.LockName;
import io.holdfast.mongo.connection.Update;
import io.holdfast.mongo.queue.StoredStay.Kind;
import io.holdfast.record.RequestId;
import java.time.Duration;
import org.bson.BsonDocument;

/** The commands on the stays of holders. A holder has one at most. */
final class StayCommands {

  /** The reason of a stay that began when its holder gave the lock back. */
  static final String GIVEN_BACK = Kind.AT_LEAST.text();

  private static final BsonDocument JUDGED = LockCommands.QUEUE.clone().append("judged", number(1));

  private StayCommands() {}

  static String stay(RequestId request) {
    return "stays." + request;
  }

  static String kind(RequestId request) {
    return stay(request) + ".why";
  }

  /** Matches a lock while a request holds it by the same number, with the same stay, as read. */
  static BsonDocument asRead(LockDocument snapshot, Entry holder) {
    RequestId request = holder.request();
    BsonDocument holding = LockCommands.holding(snapshot, request);
    return snapshot
        .stay(holder)
        .map(stay -> holding.append(stay(request) + ".begun", number(stay.begun())))
        .orElseGet(() -> holding.append(stay(request), exists(false)));
  }

  /** Matches a head that has no stay yet. */
  static BsonDocument headWithoutStay(LockName name, RequestId request) {
    return LockCommands.byName(name)
        .append(LockCommands.HEAD_REQUEST, text(request))
        .append(stay(request), exists(false));
  }

  /** Begins a stay now, in place of any other. */
  static Update begin(RequestId request, Kind kind, Duration lasts, String incarnation) {
    String stay = stay(request);
    return new Update(
        begins(stay)
            .append(
                "$set",
                doc(stay + ".why", text(kind.text()))
                    .append(stay + ".for", number(StoredStay.millis(lasts)))
                    .append(stay + ".inc", text(incarnation))),
        LockCommands.QUEUE);
  }

  /** Gives a stay another kind, with the same end. */
  static Update change(RequestId request, Kind kind) {
    return new Update(
        doc("$set", doc(kind(request), text(kind.text())))
            .append("$inc", doc(stay(request) + ".begun", number(1L))),
        LockCommands.QUEUE);
  }

  /** Begins a stay again, whose beginning the present clock cannot judge. */
  static Update restamp(RequestId request, String incarnation) {
    String stay = stay(request);
    return new Update(
        begins(stay).append("$set", doc(stay + ".inc", text(incarnation))), LockCommands.QUEUE);
  }

  private static BsonDocument begins(String stay) {
    return doc("$currentDate", doc(stay + ".from", TRUE))
        .append("$inc", doc(stay + ".begun", number(1L)));
  }

  /** Reads a lock and the server's time. */
  static Update judge() {
    return new Update(
        doc("$currentDate", doc("judged", TRUE)).append("$inc", doc("looks", number(1L))), JUDGED);
  }
}
