package io.holdfast.mongo;

import io.holdfast.BackendUnusableException;
import io.holdfast.mongo.MongoNames.Part;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Checks the collections, and makes the index that is missing. */
final class Schema {

  private Schema() {}

  /**
   * Looks whether the collections can be used, and makes what is missing.
   *
   * @throws BackendUnusableException if a collection compares text in another way than by bytes:
   *     ids that differ could be one there
   */
  static void require(Call call) {
    for (BsonDocument collection : call.collections()) {
      BsonDocument options = collection.getDocument("options", new BsonDocument());
      BsonDocument collation = options.getDocument("collation", new BsonDocument());
      String locale = collation.getString("locale", new BsonString("simple")).getValue();
      if (!locale.equals("simple")) {
        throw new BackendUnusableException(
            "Collection %s at %s has the collation %s, by which different names may be one lock. Make it without a collation, or use another prefix."
                .formatted(collection.get("name"), call.describe(), locale));
      }
    }
    // For the sweep, which would read every lock that there is otherwise.
    call.send(Part.LOCKS, "index", collection -> collection.createIndex(Docs.fields("since")));
  }
}
