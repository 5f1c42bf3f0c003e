package io.holdfast.mongo;

import static io.holdfast.mongo.Docs.TRUE;
import static io.holdfast.mongo.Docs.doc;
import static io.holdfast.mongo.Docs.exists;
import static io.holdfast.mongo.Docs.fields;
import static io.holdfast.mongo.Docs.in;
import static io.holdfast.mongo.Docs.not;
import static io.holdfast.mongo.Docs.number;
import static io.holdfast.mongo.Docs.text;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.spi.Request;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/**
 * What is sent about locks.
 *
 * <pre>{@code
 * {_id: key of the name, base: number, n: count, since: date, left: count, looks: count,
 *  queue: [{req: request, mode: 'x', process, why, payload}…], revoked: {at: date, inc: primary}}
 * }</pre>
 *
 * <p>The first in the queue holds, and the number of its grant is {@code base + n}. {@code n} rises
 * whenever the head changes to another, so it is also what a compare-and-set goes by; {@code left}
 * rises when that is because the one before has left, which change streams look for. Classic
 * operators only: no condition on the time, which a server refuses in an upsert, and no pipeline,
 * in which a text of the application could be an expression.
 */
final class LockCommands {

  /** What is told of a lock; the head only, where the others do not matter. */
  static final BsonDocument FIELDS = fields("base", "n", "since", "revoked", "queue");

  static final BsonDocument REQUESTS = fields("base", "n", "since", "revoked", "queue.req");

  static final BsonDocument HEAD =
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

  /** The head as somebody saw it. */
  private static BsonDocument headAsSeen(LockDocument seen) {
    return byName(seen.name())
        .append(HOLDER, text(seen.head().orElseThrow()))
        .append("n", number(seen.n()))
        .append("base", number(seen.base()));
  }

  private static BsonDocument entry(Request request) {
    return doc("req", text(request.id()))
        .append("mode", text(EXCLUSIVE))
        .append("process", text(request.process().value()))
        .append("why", text(request.why()))
        .append("payload", new BsonBinary(request.payload().bytes()));
  }

  /** Does not match a lock that is held, which is refused as a duplicate then. */
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

  /** The first grant of a record, as long as nobody but its holder can have used its number. */
  static BsonDocument first(LockName name, RequestId holder) {
    return byName(name).append(HOLDER, text(holder)).append("n", number(1L));
  }

  static Update raiseBase(long base) {
    return new Update(doc("$max", doc("base", number(base))), HEAD);
  }

  static BsonDocument heldBy(LockName name, RequestId holder) {
    return byName(name).append(HOLDER, text(holder));
  }

  static BsonDocument held(LockDocument seen) {
    return headAsSeen(seen);
  }

  static BsonDocument heldWithWaiters(LockDocument seen) {
    return headAsSeen(seen).append("queue.1", exists(true));
  }

  static BsonDocument heldWithoutWaiters(LockDocument seen) {
    return headAsSeen(seen).append("queue", doc("$size", number(1)));
  }

  /**
   * The head leaves; the next one is head.
   *
   * @param base what the record goes on from at least, if its first grant was too small
   */
  static Update headLeaves(Optional<Long> base, BsonDocument reply) {
    BsonDocument operators = headChanges().append("$pop", doc("queue", number(-1)));
    operators.getDocument("$inc").append("left", number(1L));
    base.ifPresent(least -> operators.append("$max", doc("base", number(least))));
    return new Update(operators, reply);
  }

  /** The head is replaced by somebody who has not waited. */
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
   * Looks at a lock in such a way that only the real primary can answer. Makes a record that has
   * never been granted if there is none.
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

  static BsonDocument heldAndNotRevoked(LockDocument seen) {
    return headAsSeen(seen).append("revoked", exists(false));
  }

  static Update revoke(String incarnation) {
    return new Update(
        doc("$currentDate", doc("revoked.at", TRUE))
            .append("$set", doc("revoked.inc", text(incarnation))),
        REQUESTS);
  }

  static BsonDocument heldAndRevoked(LockDocument seen) {
    return headAsSeen(seen).append("revoked", exists(true));
  }

  /** Locks that are held, whose names begin with a text and come after another. */
  static BsonDocument heldFrom(String prefix, Optional<LockName> after) {
    BsonDocument range = doc("$gte", LockKey.first(prefix)).append("$lt", LockKey.above(prefix));
    after.ifPresent(name -> range.append("$gt", LockKey.of(name)));
    return doc("_id", range).append("queue.0", exists(true));
  }

  static BsonDocument freeSince(Instant before) {
    return untouchedSince(before).append("queue.0", exists(false));
  }

  static BsonDocument heldSince(Instant before) {
    return untouchedSince(before).append("queue.0", exists(true));
  }

  static BsonDocument freeAfter(Instant now) {
    return touchedAfter(now).append("queue.0", exists(false));
  }

  static BsonDocument heldAfter(Instant now) {
    return touchedAfter(now).append("queue.0", exists(true));
  }

  private static BsonDocument touchedAfter(Instant now) {
    return doc("since", doc("$gt", new BsonDateTime(now.toEpochMilli())));
  }

  /** Lets a lock be as it is since now. */
  static Update restamp() {
    return new Update(
        doc("$currentDate", doc("since", TRUE)).append("$inc", doc("looks", number(1L))), HEAD);
  }

  private static BsonDocument untouchedSince(Instant before) {
    return doc("since", doc("$lt", new BsonDateTime(before.toEpochMilli())));
  }

  /** What a free record must still be like to be deleted. */
  static BsonDocument deletable(LockDocument seen) {
    return byName(seen.name())
        .append("queue.0", exists(false))
        .append("n", number(seen.n()))
        .append("base", number(seen.base()));
  }
}
