package io.holdfast.mongo;

import static io.holdfast.mongo.Docs.doc;
import static io.holdfast.mongo.Docs.exists;
import static io.holdfast.mongo.Docs.fields;
import static io.holdfast.mongo.Docs.text;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * What is asked of a change stream on the locks, and what it tells. Only a head that leaves changes
 * {@code left}, in whatever form a server writes down the rest of the change.
 */
final class HintCommands {

  private static final String LEFT = "updateDescription.updatedFields.left";
  private static final String QUEUE = "updateDescription.updatedFields.queue";

  private HintCommands() {}

  /**
   * Selects the hand-overs to some sessions. A server writes down the whole queue that is left; if
   * one does not, its hand-overs to others are told too.
   */
  static List<BsonDocument> handOversTo(Collection<SessionId> sessions) {
    BsonArray concerned = new BsonArray();
    concerned.add(doc(QUEUE, exists(false)));
    for (SessionId session : sessions) {
      // A request's id is its session, a hyphen, and digits; a dot comes after the hyphen.
      BsonDocument ofSession = doc("$gte", text(session + "-")).append("$lt", text(session + "."));
      concerned.add(doc(QUEUE + ".0.req", ofSession));
    }
    return List.of(
        doc("$match", doc(LEFT, exists(true)).append("$or", concerned)),
        doc("$project", fields("documentKey", QUEUE + ".req")));
  }

  /**
   * What was told.
   *
   * @param name the lock whose head has left
   * @param head who is head now, if that was told
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
