package io.holdfast.mongo.queue;

import static io.holdfast.mongo.connection.Documents.TRUE;
import static io.holdfast.mongo.connection.Documents.doc;
import static io.holdfast.mongo.connection.Documents.exists;
import static io.holdfast.mongo.connection.Documents.fields;
import static io.holdfast.mongo.connection.Documents.in;
import static io.holdfast.mongo.connection.Documents.not;
import static io.holdfast.mongo.connection.Documents.number;
import static io.holdfast.mongo.connection.Documents.text;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.mongo.clock.StoreClock;
import io.holdfast.mongo.connection.Update;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Request;
import java.util.Collection;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/**
 * The commands on locks: those that take a lock or join its queue, and those that read.
 *
 * <pre>{@code
 * {_id: key of the name, base: number, n: count, since: date, left: count, looks: count,
 *  judged: date, queue: [{req: request, mode: 's' | 'x', delay: milliseconds}…],
 *  stays: {request: {why, from: date, inc: primary, for: milliseconds, begun: count}…},
 *  about: {request: {process, why, payload}…}}
 * }</pre>
 *
 * <p>The holders are the exclusive request at the head of the queue, or all shared ones before the
 * first exclusive one. The number of their grant is {@code base + n}: {@code n} rises when other
 * requests hold than before, and not when a shared one joins those that hold or leaves some behind.
 * So a compare-and-set on a holder compares it. Nothing is written into the entries of those that
 * hold from now on. {@code left} rises when requests that waited may hold; change streams select by
 * it. {@code delay} is only there if it is not zero.
 *
 * <p>The commands use classic operators only. They have no condition on the time, which a server
 * refuses in an upsert, and no pipeline, in which a text of the application could be an expression.
 */
public final class LockCommands {

  /** The stored form of shared mode. */
  public static final String SHARED = "s";

  static final String EXCLUSIVE = "x";

  /** The whole of a lock. */
  static final BsonDocument WHOLE = fields("base", "n", "since", "queue", "stays", "about");

  /** A lock without what only people read. */
  static final BsonDocument QUEUE = fields("base", "n", "since", "queue", "stays");

  static final BsonDocument HEAD = slice(1);

  static final String HEAD_REQUEST = "queue.0.req";
  static final String HEAD_MODE = "queue.0.mode";
  static final String NEXT_MODE = "queue.1.mode";
  static final String REQUESTS = "queue.req";
  private static final String MODES = "queue.mode";

  private LockCommands() {}

  static BsonDocument slice(int length) {
    return fields("base", "n", "since").append("queue", doc("$slice", number(length)));
  }

  static BsonDocument byName(LockName name) {
    return doc("_id", LockKey.of(name));
  }

  static BsonDocument byNames(Collection<LockName> names) {
    return doc("_id", in(names.stream().map(LockKey::of).toList()));
  }

  /** Matches a lock while its number is the same as when it was read. */
  static BsonDocument unchangedNumber(LockDocument snapshot) {
    return byName(snapshot.name())
        .append("n", number(snapshot.n()))
        .append("base", number(snapshot.base()));
  }

  private static BsonDocument place(int position) {
    return doc("queue." + position, exists(false));
  }

  /** Adds a request to the end of a queue. */
  private static BsonDocument enter(Request request) {
    return doc("$push", doc("queue", Entry.write(request)))
        .append("$set", doc(about(request.id()), about(request)));
  }

  static String about(RequestId request) {
    return "about." + request;
  }

  static BsonDocument about(Request request) {
    return doc("process", text(request.process().value()))
        .append("why", text(request.why()))
        .append("payload", new BsonBinary(request.payload().bytes()));
  }

  /** Matches a free lock only, so the server refuses to create a held one again as a duplicate. */
  static BsonDocument free(LockName name) {
    BsonDocument free = byName(name);
    free.putAll(place(0));
    return free;
  }

  static Update grab(Request request, long base) {
    return new Update(
        enter(request)
            .append("$inc", doc("n", number(1L)))
            .append("$currentDate", doc("since", TRUE))
            .append("$setOnInsert", doc("base", number(base))),
        HEAD);
  }

  /**
   * Matches a lock that shared requests hold while no request waits, so that a further shared
   * request holds it with them.
   */
  static BsonDocument shareable(Request request) {
    BsonDocument shareable = byName(request.name());
    shareable.putAll(place(LockDocument.HOLDERS_MAX - 1));
    return shareable
        .append(HEAD_MODE, text(SHARED))
        .append(MODES, not(text(EXCLUSIVE)))
        .append(REQUESTS, not(text(request.id())));
  }

  /** Matches a held lock whose queue has room for a waiter, if one request holds it. */
  static BsonDocument joinable(Request request, int maxWaiters) {
    return joinable(request, byName(request.name()), maxWaiters);
  }

  /**
   * Matches a lock whose queue has room for a waiter, while its holders are those that were read.
   */
  static BsonDocument joinable(Request request, LockDocument snapshot, int maxWaiters) {
    int last = snapshot.holders().size() - 1;
    BsonDocument sameHolders =
        unchangedNumber(snapshot)
            .append("queue." + last + ".req", text(snapshot.queue().get(last).request()));
    return joinable(request, sameHolders, last + maxWaiters);
  }

  private static BsonDocument joinable(Request request, BsonDocument lock, int end) {
    lock.putAll(place(end));
    BsonDocument joinable =
        lock.append(HEAD_MODE, exists(true)).append(REQUESTS, not(text(request.id())));
    // A shared request waits only behind an exclusive one.
    return request.mode() == LockMode.SHARED ? joinable.append(MODES, text(EXCLUSIVE)) : joinable;
  }

  static Update join(Request request) {
    return new Update(enter(request).append("$inc", doc("looks", number(1L))), HEAD);
  }

  /**
   * Matches a lock while a request that holds it does so by the same number as when it was read.
   */
  static BsonDocument holding(LockDocument snapshot, RequestId holder) {
    return unchangedNumber(snapshot).append(REQUESTS, text(holder));
  }

  static Update raiseBase(long base) {
    return new Update(doc("$max", doc("base", number(base))), HEAD);
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
        QUEUE);
  }

  /** Matches an exclusive holder, unless it was given back already and only stays. */
  static BsonDocument exclusiveHolder(LockName name, RequestId holder) {
    return byName(name)
        .append(HEAD_REQUEST, text(holder))
        .append(HEAD_MODE, text(EXCLUSIVE))
        .append(StayCommands.kind(holder), not(text(StayCommands.GIVEN_BACK)));
  }

  /**
   * Makes an exclusive holder share the lock, under a new number, with the shared requests behind
   * it.
   *
   * @param base the least base of the record, if it began too low
   */
  static Update downgrade(Optional<Long> base) {
    BsonDocument operators =
        LeaveCommands.numberChanges(base).append("$set", doc(HEAD_MODE, text(SHARED)));
    operators.getDocument("$inc").append("left", number(1L));
    return new Update(operators, QUEUE);
  }

  /**
   * Matches the requests of a session. A request's id is its session's id, a hyphen and digits. In
   * ASCII, the dot follows the hyphen.
   */
  public static BsonDocument ofSession(SessionId session) {
    return doc("$gte", text(session + "-")).append("$lt", text(session + "."));
  }

  /** Selects locks in whose queues a session stands, and whose keys come after another name's. */
  static BsonDocument queuesWith(SessionId session, Optional<LockName> after) {
    BsonDocument queues = doc("queue", doc("$elemMatch", doc("req", ofSession(session))));
    after.ifPresent(name -> queues.append("_id", doc("$gt", LockKey.of(name))));
    return queues;
  }

  /** Selects held locks whose names begin with a prefix and come after another name. */
  static BsonDocument heldFrom(String prefix, Optional<LockName> after) {
    BsonDocument range = doc("$gte", LockKey.first(prefix)).append("$lt", LockKey.above(prefix));
    after.ifPresent(name -> range.append("$gt", LockKey.of(name)));
    return doc("_id", range).append("queue.0", exists(true));
  }
}
