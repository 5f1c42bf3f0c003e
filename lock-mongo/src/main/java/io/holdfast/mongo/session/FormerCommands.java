package io.holdfast.mongo.session;

import static io.holdfast.mongo.connection.Documents.TRUE;
import static io.holdfast.mongo.connection.Documents.doc;
import static io.holdfast.mongo.connection.Documents.exists;
import static io.holdfast.mongo.connection.Documents.fields;
import static io.holdfast.mongo.connection.Documents.not;
import static io.holdfast.mongo.connection.Documents.number;
import static io.holdfast.mongo.connection.Documents.text;

import com.mongodb.client.model.UpdateOneModel;
import io.holdfast.SessionId;
import io.holdfast.mongo.connection.Update;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The commands on sessions of version 1, of which none has an {@code id}. Its documents are those
 * of the present version otherwise, but for {@code revoked}, which is not asked for here.
 *
 * <p>The one document that stays without an {@code id} is no session. It takes the place of the
 * only one that the index admits, and has no time, so no sweep of any version finds it.
 */
final class FormerCommands {

  private static final BsonString PLACEHOLDER = text("version 1");

  private static final BsonDocument SESSION =
      fields("ttl", "renewed", "renewals", "inc", "process", "judged", "ended");

  private FormerCommands() {}

  private static BsonDocument former() {
    return doc(SessionCommands.ID, exists(false));
  }

  /** Selects sessions that are not over, after one in the order of their ids. */
  private static BsonDocument alive(String after) {
    return former().append("ended", exists(false)).append("_id", doc("$gt", text(after)));
  }

  /** Reads sessions that are not over, each with the server's time. */
  static List<BsonDocument> aliveWithTime(String after, int limit) {
    return List.of(
        doc("$match", alive(after)),
        doc("$sort", fields("_id")),
        doc("$limit", number(limit)),
        doc("$project", SESSION.clone().append("now", text("$$NOW"))));
  }

  static BsonDocument judgeable(SessionId session) {
    return SessionCommands.judgeable(session).append(SessionCommands.ID, exists(false));
  }

  /** Reads the server's time, and the session at that time. */
  static Update judge() {
    return new Update(
        doc("$currentDate", doc("judged", TRUE)).append("$inc", doc("looks", number(1L))), SESSION);
  }

  /** Ends a session and gives it an {@code id}; its clients are told that it is over. */
  static Update expire(SessionId session) {
    BsonDocument operators = SessionCommands.ending(SessionCommands.EXPIRED);
    operators.getDocument("$set").append(SessionCommands.ID, text(session));
    return new Update(operators, SESSION);
  }

  static BsonDocument over() {
    return former().append("ended", exists(true)).append("_id", not(PLACEHOLDER));
  }

  /** Gives a session that is over an {@code id}. It stays until a sweep finds it old enough. */
  static UpdateOneModel<BsonDocument> mark(BsonDocument over) {
    return new UpdateOneModel<>(
        doc("_id", over.getString("_id")).append("ended", exists(true)),
        doc("$set", doc(SessionCommands.ID, over.getString("_id")))
            .append("$inc", doc("looks", number(1L))));
  }

  static BsonDocument placeholder() {
    return doc("_id", PLACEHOLDER);
  }

  /** To every version it is over. */
  static Update place() {
    return new Update(
        doc("$setOnInsert", doc("ended", text("retired"))).append("$inc", doc("looks", number(1L))),
        SESSION);
  }
}
