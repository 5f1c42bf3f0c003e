package io.holdfast.mongo.hint;

import static io.holdfast.mongo.connection.Documents.doc;
import static io.holdfast.mongo.connection.Documents.exists;
import static io.holdfast.mongo.connection.Documents.fields;
import static io.holdfast.mongo.connection.Documents.text;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.mongo.queue.LockKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The pipeline of a change stream on the locks, and the form of its events. Only a head that leaves
 * changes {@code left}, in whatever form a server records the rest of the change.
 */
final class HintCommands {

  private static final String LEFT = "updateDescription.updatedFields.left";
  private static final String QUEUE = "updateDescription.updatedFields.queue";

  private HintCommands() {}

  /**
   * Selects the hand-overs to some sessions. A server records the whole queue that remains; if it
   * does not, hand-overs to other sessions are reported too.
   */
  static List<BsonDocument> handOversTo(Collection<SessionId> sessions) {
    BsonArray concerned = new BsonArray();
    concerned.add(doc(QUEUE, exists(false)));
    for (SessionId session : sessions) {
      // A request's id is its session's id, a hyphen and digits. In ASCII, the dot follows the
      // hyphen.
      BsonDocument ofSession = doc("$gte", text(session + "-")).append("$lt", text(session + "."));
      concerned.add(doc(QUEUE + ".0.req", ofSession));
    }
    return List.of(
        doc("$match", doc(LEFT, exists(true)).append("$or", concerned)),
        doc("$project", fields("documentKey", QUEUE + ".req")));
  }

  /**
   * A hand-over that the change stream has reported.
   *
   * @param name the lock whose head has left
   * @param head the new head, if it was reported
   */
  record HandOver(LockName name, Optional<RequestId> head) {

    static HandOver read(BsonDocument event) {
      return new HandOver(
          LockKey.name(event.getDocument("documentKey").getString("_id").getValue()),
          queue(event)
              .map(queue -> queue.get(0).asDocument().getString("req").getValue())
              .map(RequestId::parse));
    }

    private static Optional<BsonArray> queue(BsonDocument event) {
      return Optional.ofNullable(event.getDocument("updateDescription", null))
          .map(change -> change.getDocument("updatedFields", new BsonDocument()).get("queue"))
          .filter(BsonValue::isArray)
          .map(BsonValue::asArray)
          .filter(queue -> !queue.isEmpty());
    }
  }
}
