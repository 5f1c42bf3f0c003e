package io.holdfast.mongo.queue;

import static io.holdfast.mongo.connection.Documents.doc;
import static io.holdfast.mongo.connection.Documents.exists;
import static io.holdfast.mongo.connection.Documents.number;
import static io.holdfast.mongo.connection.Documents.text;

import com.mongodb.client.model.UpdateOneModel;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import java.util.List;
import org.bson.BsonDocument;

/**
 * The locks of version 1, when all its sessions are over. What it stored of a free lock is what the
 * present version stores, so held locks are made free, and the numbers of each go on in its record.
 *
 * @param floor of their namespace
 */
public record FormerLocks(CommandSender sender, long floor) {

  private static final int PAGE = 500;

  /** In version 1 what people read about a request lies in the queue. */
  private static final BsonDocument ENTRY = doc("process", exists(true));

  private static final BsonDocument HELD = doc("queue.0.process", exists(true));

  /** Removes all requests. */
  public void free() {
    List<UpdateOneModel<BsonDocument>> page;
    do {
      page =
          sender.find(CollectionRole.LOCKS, HELD, LockCommands.QUEUE, "_id", PAGE).stream()
              .map(document -> LockDocument.read(document, sender.describe()))
              .map(this::empty)
              .toList();
      sender.bulk(CollectionRole.LOCKS, page);
    } while (!page.isEmpty());
  }

  /**
   * Only if the lock is held as when it was read: another client may have retired it meanwhile, and
   * whoever joined since then is of the present version and remains.
   */
  private UpdateOneModel<BsonDocument> empty(LockDocument lock) {
    BsonDocument operators =
        LeaveCommands.numberChanges(FirstGrants.leastBase(lock, () -> floor))
            .append("$pull", doc("queue", ENTRY))
            .append("$unset", doc("revoked", text("")));
    operators.getDocument("$inc").append("left", number(1L));
    return new UpdateOneModel<>(SweepCommands.held(lock), operators);
  }
}
