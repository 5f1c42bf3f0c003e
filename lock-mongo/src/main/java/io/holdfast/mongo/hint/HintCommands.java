package io.holdfast.mongo.hint;

import static io.holdfast.mongo.connection.Documents.doc;
import static io.holdfast.mongo.connection.Documents.exists;
import static io.holdfast.mongo.connection.Documents.fields;
import static io.holdfast.mongo.connection.Documents.text;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.mongo.queue.LockCommands;
import io.holdfast.mongo.queue.LockKey;
import io.holdfast.record.RequestId;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The pipeline of a change stream on the locks, and the form of its events. Only a change that lets
 * waiting requests hold changes {@code left}, in any form in which a server records the rest of it.
 */
final class HintCommands {

  private static final String LEFT = "updateDescription.updatedFields.left";
  private static final String QUEUE = "updateDescription.updatedFields.queue";

  private HintCommands() {}

  /**
   * Selects the changes by which requests of some sessions may have come to hold a lock. A server
   * records the whole queue that remains; if it does not, all such changes are reported. Where
   * shared requests hold, those that wait further behind are reported too.
   */
  static List<BsonDocument> handOversTo(Collection<SessionId> sessions) {
    BsonArray concerned = new BsonArray();
    concerned.add(doc(QUEUE, exists(false)));
    for (SessionId session : sessions) {
      BsonDocument ofSession = LockCommands.ofSession(session);
      concerned.add(doc(QUEUE + ".0.req", ofSession));
      BsonDocument shared = doc("req", ofSession).append("mode", text(LockCommands.SHARED));
      concerned.add(
          doc(QUEUE + ".0.mode", text(LockCommands.SHARED))
              .append(QUEUE, doc("$elemMatch", shared)));
    }
    return List.of(
        doc("$match", doc(LEFT, exists(true)).append("$or", concerned)),
        doc("$project", fields("documentKey", QUEUE + ".req", QUEUE + ".mode")));
  }

  /**
   * A change that the change stream has reported.
   *
   * @param name the lock
   * @param holders the sessions that hold the lock now, if they were reported
   */
  record HandOver(LockName name, Optional<Set<SessionId>> holders) {

    static HandOver read(BsonDocument event) {
      return new HandOver(
          LockKey.name(event.getDocument("documentKey").getString("_id").getValue()),
          queue(event).map(HandOver::holders));
    }

    private static Optional<BsonArray> queue(BsonDocument event) {
      return Optional.ofNullable(event.getDocument("updateDescription", null))
          .map(change -> change.getDocument("updatedFields", new BsonDocument()).get("queue"))
          .filter(BsonValue::isArray)
          .map(BsonValue::asArray)
          .filter(queue -> !queue.isEmpty());
    }

    private static Set<SessionId> holders(BsonArray queue) {
      Set<SessionId> holders = new LinkedHashSet<>();
      for (BsonValue each : queue) {
        BsonDocument entry = each.asDocument();
        boolean isShared = entry.getString("mode").getValue().equals(LockCommands.SHARED);
        if (isShared || holders.isEmpty()) {
          holders.add(RequestId.parse(entry.getString("req").getValue()).session());
        }
        if (!isShared) {
          break;
        }
      }
      return holders;
    }
  }
}
