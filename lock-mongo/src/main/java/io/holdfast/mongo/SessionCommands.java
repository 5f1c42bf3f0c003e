package io.holdfast.mongo;

import static io.holdfast.mongo.Docs.TRUE;
import static io.holdfast.mongo.Docs.doc;
import static io.holdfast.mongo.Docs.exists;
import static io.holdfast.mongo.Docs.fields;
import static io.holdfast.mongo.Docs.number;
import static io.holdfast.mongo.Docs.text;

import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.SessionSpec;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/**
 * What is sent about sessions.
 *
 * <pre>{@code
 * {_id: session, ttl: milliseconds, process, renewed: date, renewals: count, inc: primary,
 *  revoked: [request…], judged: date, looks: count, ended: 'closed' | 'expired' | 'missing'}
 * }</pre>
 *
 * <p>Every date is the clock of the server that applies the write. Every change counts something,
 * so that it always is a write and its answer waits for a majority. A compare-and-set goes by
 * {@code renewals}, never by a date.
 */
final class SessionCommands {

  static final BsonDocument FIELDS =
      fields("ttl", "renewed", "renewals", "inc", "revoked", "judged", "ended");

  private SessionCommands() {}

  static BsonDocument byId(SessionId session) {
    return doc("_id", text(session));
  }

  private static BsonDocument alive(SessionId session) {
    return byId(session).append("ended", exists(false));
  }

  private static BsonDocument aliveAsSeen(SessionId session, long renewals) {
    return alive(session).append("renewals", number(renewals));
  }

  /** Matches no document that is there, so an id that was used is refused as a duplicate. */
  static BsonDocument unused(SessionId session) {
    return alive(session).append("ttl", exists(false));
  }

  static Update open(SessionSpec spec, String incarnation) {
    return new Update(
        renewal(incarnation)
            .append(
                "$setOnInsert",
                doc("ttl", number(spec.ttl().toMillis()))
                    .append("process", text(spec.process().value()))),
        FIELDS);
  }

  static BsonDocument renewable(SessionId session) {
    return alive(session);
  }

  static Update renew(String incarnation) {
    return new Update(renewal(incarnation), FIELDS);
  }

  private static BsonDocument renewal(String incarnation) {
    return doc("$currentDate", doc("renewed", TRUE))
        .append("$set", doc("inc", text(incarnation)))
        .append("$inc", doc("renewals", number(1L)));
  }

  /** Closes also a session that is not there: no opening of it that is under way succeeds then. */
  static Update close() {
    return new Update(ending("closed"), FIELDS);
  }

  /** Asks the server for its time, and for the session as it is at that time. */
  static Update judge() {
    return new Update(
        doc("$currentDate", doc("judged", TRUE)).append("$inc", doc("looks", number(1L))), FIELDS);
  }

  static BsonDocument judgeable(SessionId session) {
    return alive(session);
  }

  static BsonDocument endable(SessionId session, long renewals) {
    return aliveAsSeen(session, renewals);
  }

  static Update expire() {
    return new Update(ending("expired"), FIELDS);
  }

  private static BsonDocument ending(String why) {
    return doc("$currentDate", doc("judged", TRUE))
        .append("$set", doc("ended", text(why)))
        .append("$inc", doc("looks", number(1L)));
  }

  /**
   * Looks at a session that seems not to be there, and sees to it that it never will be: what an
   * old primary does not know may be alive.
   */
  static Update confirmMissing() {
    return new Update(
        doc("$currentDate", doc("judged", TRUE))
            .append("$setOnInsert", doc("ended", text("missing")))
            .append("$inc", doc("looks", number(1L))),
        FIELDS);
  }

  static Update notifyRevoked(RequestId request) {
    return new Update(
        doc("$currentDate", doc("judged", TRUE))
            .append("$addToSet", doc("revoked", text(request)))
            .append("$inc", doc("looks", number(1L))),
        FIELDS);
  }

  static Update acknowledge(RequestId request) {
    return new Update(
        doc("$pull", doc("revoked", text(request))).append("$inc", doc("looks", number(1L))),
        FIELDS);
  }

  /** Sessions as they are, each with the server's time. */
  static List<BsonDocument> withTime(List<SessionId> sessions) {
    return List.of(
        doc("$match", doc("_id", Docs.in(sessions.stream().map(Docs::text).toList()))),
        doc("$project", FIELDS.clone().append("now", text("$$NOW"))));
  }

  /** Sessions that were over, or were last renewed, before a moment. */
  static BsonDocument untouchedSince(long millis) {
    return touched(doc("$lt", new BsonDateTime(millis)));
  }

  /** Sessions that were over, or were last renewed, after a moment. */
  static BsonDocument touchedAfter(long millis) {
    return touched(doc("$gt", new BsonDateTime(millis)));
  }

  private static BsonDocument touched(BsonDocument when) {
    return doc(
        "$or",
        new BsonArray(
            List.of(
                doc("ended", exists(true)).append("judged", when),
                doc("ended", exists(false)).append("renewed", when))));
  }

  /**
   * Gives a session the present time on behalf of nobody. Whose clock it was stays: a waiter still
   * finds a time of another one doubtful.
   */
  static Update restamp(boolean isOver) {
    return new Update(
        isOver
            ? doc("$currentDate", doc("judged", TRUE)).append("$inc", doc("looks", number(1L)))
            : doc("$currentDate", doc("renewed", TRUE)).append("$inc", doc("renewals", number(1L))),
        FIELDS);
  }

  /** What a session must still be like to be swept. */
  static BsonDocument asSeen(BsonDocument seen) {
    return doc("_id", seen.getString("_id"))
        .append("ended", exists(seen.containsKey("ended")))
        .append("renewals", seen.getOrDefault("renewals", exists(false)));
  }
}
