package io.holdfast.mongo.queue;

import static io.holdfast.mongo.connection.Documents.TRUE;
import static io.holdfast.mongo.connection.Documents.doc;
import static io.holdfast.mongo.connection.Documents.exists;
import static io.holdfast.mongo.connection.Documents.fields;
import static io.holdfast.mongo.connection.Documents.in;
import static io.holdfast.mongo.connection.Documents.not;
import static io.holdfast.mongo.connection.Documents.number;
import static io.holdfast.mongo.connection.Documents.text;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.mongo.clock.StoreClock;
import io.holdfast.mongo.connection.Update;
import io.holdfast.spi.Request;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/**
 * The commands on locks.
 *
 * <pre>{@code
 * {_id: key of the name, base: number, n: count, since: date, left: count, looks: count,
 *  queue: [{req: request, mode: 'x', process, why, payload}…], revoked: {at: date, inc: primary}}
 * }</pre>
 *
 * <p>The first in the queue is the holder, and the number of its grant is {@code base + n}. {@code
 * n} rises whenever the head changes, so a compare-and-set compares it. {@code left} rises when the
 * head changes because the previous one has left; change streams select by it. The commands use
 * classic operators only. They have no condition on the time, which a server refuses in an upsert,
 * and no pipeline, in which a text of the application could be an expression.
 */
public final class LockCommands {

  /** The fields of a lock with its whole queue. */
  static final BsonDocument FIELDS = fields("base", "n", "since", "revoked", "queue");

  static final BsonDocument REQUESTS = fields("base", "n", "since", "revoked", "queue.req");

  public static final BsonDocument HEAD =
      fields("base", "n", "since").append("queue", doc("$slice", number(1)));

  private static final String EXCLUSIVE = "x";
  private static final String HOLDER = "queue.0.req";

  private LockCommands() {}

  static BsonDocument byName(LockName name) {
    return doc("_id", LockKey.of(name));
  }

  static BsonDocument byNames(Collection<LockName> names) {
    return doc("_id", in(names.stream().map(LockKey::of).toList()));
  }

  /** Matches a lock whose head is the same as when it was read. */
  private static BsonDocument headUnchanged(LockDocument snapshot) {
    return byName(snapshot.name())
        .append(HOLDER, text(snapshot.head().orElseThrow()))
        .append("n", number(snapshot.n()))
        .append("base", number(snapshot.base()));
  }

  private static BsonDocument entry(Request request) {
    return doc("req", text(request.id()))
        .append("mode", text(EXCLUSIVE))
        .append("process", text(request.process().value()))
        .append("why", text(request.why()))
        .append("payload", new BsonBinary(request.payload().bytes()));
  }

  /** Matches a free lock only, so the server refuses to create a held one again as a duplicate. */
  static BsonDocument free(LockName name) {
    return byName(name).append("queue.0", exists(false));
  }

  static Update grab(Request request, long base) {
    return new Update(
        doc("$push", doc("queue", entry(request)))
            .append("$inc", doc("n", number(1L)))
            .append("$currentDate", doc("since", TRUE))
            .append("$setOnInsert", doc("base", number(base))),
        HEAD);
  }

  static BsonDocument joinable(Request request, int maxWaiters) {
    return byName(request.name())
        .append("queue.0", exists(true))
        .append("queue." + maxWaiters, exists(false))
        .append("queue.req", not(text(request.id())));
  }

  static Update join(Request request) {
    return new Update(doc("$push", doc("queue", entry(request))), HEAD);
  }

  /**
   * Matches the first grant of a record while it is held, so that only its holder can have used its
   * number.
   */
  static BsonDocument first(LockName name, RequestId holder) {
    return byName(name).append(HOLDER, text(holder)).append("n", number(1L));
  }

  static Update raiseBase(long base) {
    return new Update(doc("$max", doc("base", number(base))), HEAD);
  }

  static BsonDocument heldBy(LockName name, RequestId holder) {
    return byName(name).append(HOLDER, text(holder));
  }

  public static BsonDocument held(LockDocument snapshot) {
    return headUnchanged(snapshot);
  }

  static BsonDocument heldWithWaiters(LockDocument snapshot) {
    return headUnchanged(snapshot).append("queue.1", exists(true));
  }

  static BsonDocument heldWithoutWaiters(LockDocument snapshot) {
    return headUnchanged(snapshot).append("queue", doc("$size", number(1)));
  }

  /**
   * Removes the head; the next request becomes the head.
   *
   * @param base the least base of the record, if it began too low
   */
  public static Update headLeaves(Optional<Long> base, BsonDocument reply) {
    BsonDocument operators = headChanges().append("$pop", doc("queue", number(-1)));
    operators.getDocument("$inc").append("left", number(1L));
    base.ifPresent(least -> operators.append("$max", doc("base", number(least))));
    return new Update(operators, reply);
  }

  /** Replaces the head by a request that has not waited. */
  static Update replaceHead(Request request, Optional<Long> base) {
    BsonDocument operators = headChanges().append("$set", doc("queue.0", entry(request)));
    base.ifPresent(least -> operators.append("$max", doc("base", number(least))));
    return new Update(operators, FIELDS);
  }

  private static BsonDocument headChanges() {
    return doc("$inc", doc("n", number(1L)))
        .append("$currentDate", doc("since", TRUE))
        .append("$unset", doc("revoked", text("")));
  }

  static BsonDocument waiting(LockName name, RequestId request) {
    return byName(name).append(HOLDER, not(text(request))).append("queue.req", text(request));
  }

  static Update waiterLeaves(RequestId request) {
    return new Update(
        doc("$pull", doc("queue", doc("req", text(request))))
            .append("$inc", doc("looks", number(1L))),
        HEAD);
  }

  /**
   * Reads a lock by a write, which only the real primary can confirm. Creates a record without a
   * grant if there is none.
   */
  static Update look(long base) {
    return new Update(
        doc("$inc", doc("looks", number(1L)))
            .append(
                "$setOnInsert",
                doc("base", number(base))
                    .append("n", number(0L))
                    .append("queue", new BsonArray())
                    .append("since", new BsonDateTime(StoreClock.millis(base)))),
        REQUESTS);
  }

  static BsonDocument heldAndNotRevoked(LockDocument snapshot) {
    return headUnchanged(snapshot).append("revoked", exists(false));
  }

  static Update revoke(String incarnation) {
    return new Update(
        doc("$currentDate", doc("revoked.at", TRUE))
            .append("$set", doc("revoked.inc", text(incarnation))),
        REQUESTS);
  }

  static BsonDocument heldAndRevoked(LockDocument snapshot) {
    return headUnchanged(snapshot).append("revoked", exists(true));
  }

  /** Selects held locks whose names begin with a prefix and come after another name. */
  static BsonDocument heldFrom(String prefix, Optional<LockName> after) {
    BsonDocument range = doc("$gte", LockKey.first(prefix)).append("$lt", LockKey.above(prefix));
    after.ifPresent(name -> range.append("$gt", LockKey.of(name)));
    return doc("_id", range).append("queue.0", exists(true));
  }

  public static BsonDocument freeSince(Instant before) {
    return untouchedSince(before).append("queue.0", exists(false));
  }

  public static BsonDocument heldSince(Instant before) {
    return untouchedSince(before).append("queue.0", exists(true));
  }

  public static BsonDocument freeAfter(Instant now) {
    return touchedAfter(now).append("queue.0", exists(false));
  }

  public static BsonDocument heldAfter(Instant now) {
    return touchedAfter(now).append("queue.0", exists(true));
  }

  private static BsonDocument touchedAfter(Instant now) {
    return doc("since", doc("$gt", new BsonDateTime(now.toEpochMilli())));
  }

  /** Sets the time of a lock's last change to now, and changes nothing else. */
  public static Update restamp() {
    return new Update(
        doc("$currentDate", doc("since", TRUE)).append("$inc", doc("looks", number(1L))), HEAD);
  }

  private static BsonDocument untouchedSince(Instant before) {
    return doc("since", doc("$lt", new BsonDateTime(before.toEpochMilli())));
  }

  /** Matches a free record that has not changed since it was read. */
  public static BsonDocument deletable(LockDocument snapshot) {
    return byName(snapshot.name())
        .append("queue.0", exists(false))
        .append("n", number(snapshot.n()))
        .append("base", number(snapshot.base()));
  }
}
