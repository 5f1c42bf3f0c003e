package io.holdfast.mongo.queue;

import static io.holdfast.mongo.connection.Documents.TRUE;
import static io.holdfast.mongo.connection.Documents.doc;
import static io.holdfast.mongo.connection.Documents.not;
import static io.holdfast.mongo.connection.Documents.number;
import static io.holdfast.mongo.connection.Documents.text;

import io.holdfast.LockName;
import io.holdfast.mongo.connection.Update;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Request;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/**
 * The commands by which requests leave a queue. Whether the number changes with a request that
 * leaves depends on where it stands at that moment, so the filters tell the places apart. For each
 * request that is in the queue, exactly one of {@link #isLast} and {@link #isNotLast} matches.
 */
final class LeaveCommands {

  private LeaveCommands() {}

  /** A condition: the request is the only one that holds the lock. */
  static BsonDocument isLast(RequestId request) {
    return doc(LockCommands.HEAD_REQUEST, text(request))
        .append(
            "$or",
            anyOf(
                doc(LockCommands.HEAD_MODE, text(LockCommands.EXCLUSIVE)),
                doc(LockCommands.NEXT_MODE, not(text(LockCommands.SHARED)))));
  }

  /** A condition: others hold the lock when the request has left, by the same number as now. */
  static BsonDocument isNotLast(RequestId request) {
    return doc(LockCommands.REQUESTS, text(request))
        .append(
            "$or",
            anyOf(
                doc(LockCommands.HEAD_REQUEST, not(text(request))),
                doc(LockCommands.HEAD_MODE, text(LockCommands.SHARED))
                    .append(LockCommands.NEXT_MODE, text(LockCommands.SHARED))));
  }

  private static BsonArray anyOf(BsonDocument one, BsonDocument other) {
    return new BsonArray(List.of(one, other));
  }

  /** A condition: the request waits, and it would not share the lock. */
  private static BsonDocument waitsExclusively(RequestId request) {
    return doc(LockCommands.HEAD_REQUEST, not(text(request))).append("queue", exclusive(request));
  }

  private static BsonDocument exclusive(RequestId request) {
    return doc(
        "$elemMatch", doc("req", text(request)).append("mode", text(LockCommands.EXCLUSIVE)));
  }

  static BsonDocument waitingExclusively(LockName name, RequestId request) {
    return both(LockCommands.byName(name), waitsExclusively(request));
  }

  /**
   * Matches a shared request that waits, while the same requests hold the lock as when it was read,
   * and the exclusive one is there behind which it waits.
   */
  static BsonDocument waitingAsRead(LockDocument snapshot, RequestId shared) {
    return LockCommands.unchangedNumber(snapshot)
        .append(LockCommands.REQUESTS, text(shared))
        .append("queue", exclusive(snapshot.exclusiveAhead(shared).request()));
  }

  /** Matches the last holder, unless it was given back already and only stays. */
  static BsonDocument lastHolder(LockName name, RequestId request) {
    return both(LockCommands.byName(name), isLast(request))
        .append(StayCommands.kind(request), not(text(StayCommands.GIVEN_BACK)));
  }

  /** Matches any other request in the queue, unless it was given back already and only stays. */
  static BsonDocument notLastHolder(LockName name, RequestId request) {
    return both(LockCommands.byName(name), isNotLast(request))
        .append(StayCommands.kind(request), not(text(StayCommands.GIVEN_BACK)));
  }

  /** Matches a holder that is the last one, while it holds and stays as when it was read. */
  static BsonDocument lastAsRead(LockDocument snapshot, Entry holder) {
    return both(StayCommands.asRead(snapshot, holder), isLast(holder.request()));
  }

  /** Matches a holder that is not the last one, while it holds and stays as when it was read. */
  static BsonDocument notLastAsRead(LockDocument snapshot, Entry holder) {
    return both(StayCommands.asRead(snapshot, holder), isNotLast(holder.request()));
  }

  /** Matches a holder that is alone in the queue, while it holds and stays as when it was read. */
  static BsonDocument aloneAsRead(LockDocument snapshot, Entry holder) {
    return StayCommands.asRead(snapshot, holder)
        .append(LockCommands.HEAD_REQUEST, text(holder.request()))
        .append("queue", doc("$size", number(1)));
  }

  static BsonDocument both(BsonDocument one, BsonDocument other) {
    BsonDocument both = one.clone();
    both.putAll(other);
    return both;
  }

  /**
   * Removes the last holder; the requests behind it hold from now on, if there are any.
   *
   * @param base the least base of the record, if it began too low
   */
  static Update lastLeaves(RequestId request, Optional<Long> base, BsonDocument reply) {
    BsonDocument operators =
        numberChanges(base)
            .append("$pop", doc("queue", number(-1)))
            .append("$unset", belongings(request));
    operators.getDocument("$inc").append("left", number(1L));
    return new Update(operators, reply);
  }

  /** Replaces the only request in a queue by one that has not waited. */
  static Update replace(RequestId holder, Request by, Optional<Long> base) {
    return new Update(
        numberChanges(base)
            .append("$unset", belongings(holder))
            .append(
                "$set",
                doc("queue.0", Entry.write(by))
                    .append(LockCommands.about(by.id()), LockCommands.about(by))),
        LockCommands.WHOLE);
  }

  /** Removes a request that leaves other holders behind. */
  static Update leaves(RequestId request, BsonDocument reply) {
    return leaves(request, "looks", reply);
  }

  /** Removes a waiting request that may have kept shared ones behind it waiting. */
  static Update exclusiveWaiterLeaves(RequestId request) {
    return leaves(request, "left", LockCommands.HEAD);
  }

  private static Update leaves(RequestId request, String counter, BsonDocument reply) {
    return new Update(
        doc("$pull", doc("queue", doc("req", text(request))))
            .append("$unset", belongings(request))
            .append("$inc", doc(counter, number(1L))),
        reply);
  }

  private static BsonDocument belongings(RequestId request) {
    return doc(LockCommands.about(request), text("")).append(StayCommands.stay(request), text(""));
  }

  static BsonDocument numberChanges(Optional<Long> base) {
    BsonDocument operators =
        doc("$inc", doc("n", number(1L))).append("$currentDate", doc("since", TRUE));
    base.ifPresent(least -> operators.append("$max", doc("base", number(least))));
    return operators;
  }
}
