package io.holdfast.mongo.session;

import static io.holdfast.mongo.connection.Documents.TRUE;
import static io.holdfast.mongo.connection.Documents.doc;
import static io.holdfast.mongo.connection.Documents.exists;
import static io.holdfast.mongo.connection.Documents.fields;
import static io.holdfast.mongo.connection.Documents.number;
import static io.holdfast.mongo.connection.Documents.text;

import io.holdfast.SessionId;
import io.holdfast.mongo.connection.Documents;
import io.holdfast.mongo.connection.Update;
import io.holdfast.record.RequestId;
import io.holdfast.spi.SessionSpec;
import java.time.Duration;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/**
 * The commands on sessions.
 *
 * <pre>{@code
 * {_id: session, id: session, ttl: milliseconds, process, renewed: date, renewals: count, inc: primary,
 *  revoked: {request: {from: date, inc: primary, for: milliseconds}…}, judged: date, looks: count, ended: 'closed' | 'expired' | 'missing'}
 * }</pre>
 *
 * <p>No document that version 1 makes has an {@code id}. Where it was retired, an index that
 * refuses a second document without one keeps its clients out.
 *
 * <p>Every date comes from the clock of the server that applies the write. Every change increments
 * a count, so it always is a write and its answer waits for a majority. A compare-and-set compares
 * {@code renewals}, never a date.
 */
public final class SessionCommands {

  public static final BsonDocument FIELDS =
      fields("ttl", "renewed", "renewals", "inc", "revoked", "judged", "ended");

  static final String ID = "id";
  static final String EXPIRED = "expired";

  private SessionCommands() {}

  static BsonDocument byId(SessionId session) {
    return doc("_id", text(session));
  }

  private static BsonDocument alive(SessionId session) {
    return byId(session).append("ended", exists(false));
  }

  private static BsonDocument aliveUnrenewed(SessionId session, long renewals) {
    return alive(session).append("renewals", number(renewals));
  }

  /** Matches no existing document, so the server refuses a used id as a duplicate. */
  static BsonDocument unused(SessionId session) {
    return alive(session).append("ttl", exists(false));
  }

  static Update open(SessionSpec spec, String incarnation) {
    return new Update(
        renewal(incarnation)
            .append(
                "$setOnInsert",
                doc(ID, text(spec.id()))
                    .append("ttl", number(spec.ttl().toMillis()))
                    .append("process", text(spec.process().value()))),
        FIELDS);
  }

  static BsonDocument renewable(SessionId session) {
    return alive(session);
  }

  public static Update renew(String incarnation) {
    return new Update(renewal(incarnation), FIELDS);
  }

  private static BsonDocument renewal(String incarnation) {
    return doc("$currentDate", doc("renewed", TRUE))
        .append("$set", doc("inc", text(incarnation)))
        .append("$inc", doc("renewals", number(1L)));
  }

  /** Closes a missing session too, so that an opening still under way fails. */
  static Update close(SessionId session) {
    return new Update(ending("closed").append("$setOnInsert", doc(ID, text(session))), FIELDS);
  }

  /** Reads the server's time, and the session at that time. */
  static Update judge() {
    return new Update(
        doc("$currentDate", doc("judged", TRUE)).append("$inc", doc("looks", number(1L))), FIELDS);
  }

  public static BsonDocument judgeable(SessionId session) {
    return alive(session);
  }

  static BsonDocument endable(SessionId session, long renewals) {
    return aliveUnrenewed(session, renewals);
  }

  public static Update expire() {
    return new Update(ending(EXPIRED), FIELDS);
  }

  static BsonDocument ending(String why) {
    return doc("$currentDate", doc("judged", TRUE))
        .append("$set", doc("ended", text(why)))
        .append("$inc", doc("looks", number(1L)));
  }

  /**
   * Reads a session that seems to be missing, and prevents that it is opened later. A session that
   * an old primary does not know may be alive.
   */
  static Update confirmMissing(SessionId session) {
    return new Update(
        doc("$currentDate", doc("judged", TRUE))
            .append("$setOnInsert", doc("ended", text("missing")).append(ID, text(session)))
            .append("$inc", doc("looks", number(1L))),
        FIELDS);
  }

  /** Matches a session that was not told yet that a request was revoked. */
  static BsonDocument untold(RequestId request) {
    return alive(request.session()).append(eviction(request), exists(false));
  }

  /** Matches a session while it was told that it may keep a request for a time. */
  static BsonDocument told(RequestId request, Duration notice) {
    return alive(request.session()).append(eviction(request) + ".for", number(notice.toMillis()));
  }

  /** Notes that the session must give up a request, after a time from now. */
  static Update notifyRevoked(RequestId request, Duration notice, String incarnation) {
    String eviction = eviction(request);
    return new Update(
        doc("$currentDate", doc("judged", TRUE).append(eviction + ".from", TRUE))
            .append(
                "$set",
                doc(eviction + ".for", number(notice.toMillis()))
                    .append(eviction + ".inc", text(incarnation)))
            .append("$inc", doc("looks", number(1L))),
        FIELDS);
  }

  static Update acknowledge(RequestId request) {
    return new Update(
        doc("$unset", doc(eviction(request), text(""))).append("$inc", doc("looks", number(1L))),
        FIELDS);
  }

  private static String eviction(RequestId request) {
    return "revoked." + request;
  }

  /** Reads sessions, each with the server's time. */
  static List<BsonDocument> withTime(List<SessionId> sessions) {
    return List.of(
        doc("$match", doc("_id", Documents.in(sessions.stream().map(Documents::text).toList()))),
        doc("$project", FIELDS.clone().append("now", text("$$NOW"))));
  }

  /** Selects sessions that were last renewed, or last read after their end, before a time. */
  public static BsonDocument untouchedSince(long millis) {
    return touched(doc("$lt", new BsonDateTime(millis)));
  }

  /** Selects sessions that were last renewed, or last read after their end, after a time. */
  public static BsonDocument touchedAfter(long millis) {
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
   * Gives a session the present time without renewing it for its client. The recorded incarnation
   * stays, so waiters still find a time of another incarnation doubtful.
   */
  public static Update restamp(boolean isOver) {
    return new Update(
        isOver
            ? doc("$currentDate", doc("judged", TRUE)).append("$inc", doc("looks", number(1L)))
            : doc("$currentDate", doc("renewed", TRUE)).append("$inc", doc("renewals", number(1L))),
        FIELDS);
  }

  /** Matches a session that has not changed since it was read. */
  public static BsonDocument unchanged(BsonDocument snapshot) {
    return doc("_id", snapshot.getString("_id"))
        .append("ended", exists(snapshot.containsKey("ended")))
        .append("renewals", snapshot.getOrDefault("renewals", exists(false)));
  }
}
