package io.holdfast.mongo.namespace;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.connection.Index;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Checks the collections, and creates the index if it is missing. */
public final class Schema {

  private Schema() {}

  /**
   * Checks that the collections can be used, and creates the index if it is missing.
   *
   * @throws BackendUnusableException if a collection has a collation, by which different ids could
   *     be equal
   */
  public static void require(CommandSender sender) {
    for (BsonDocument collection : sender.collections()) {
      BsonDocument options = collection.getDocument("options", new BsonDocument());
      BsonDocument collation = options.getDocument("collation", new BsonDocument());
      String locale = collation.getString("locale", new BsonString("simple")).getValue();
      if (!locale.equals("simple")) {
        throw new BackendUnusableException(
            "Collection %s at %s has the collation %s, by which different names may be one lock. Create it without a collation, or use another prefix."
                .formatted(collection.get("name"), sender.describe(), locale));
      }
    }
    // For the sweep, which would read all locks otherwise.
    sender.index(CollectionRole.LOCKS, Index.on("since"));
  }
}
