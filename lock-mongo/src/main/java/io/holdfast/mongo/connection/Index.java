package io.holdfast.mongo.connection;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CreateIndexOptions;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import java.util.List;
import org.bson.BsonDocument;

/**
 * An index on one field.
 *
 * @param isUnique whether the server refuses a second document with the same value; documents
 *     without the field are alike, too
 */
public record Index(String field, boolean isUnique) {

  public static Index on(String field) {
    return new Index(field, false);
  }

  public static Index uniqueOn(String field) {
    return new Index(field, true);
  }

  /**
   * Builds it if it is missing. What is written meanwhile counts: a unique one is built as a whole
   * only if no two documents are alike at the end.
   *
   * @return whether it is there
   */
  boolean build(MongoCollection<BsonDocument> collection, TimeLimit limit) {
    IndexModel model =
        new IndexModel(
            Documents.fields(field),
            isUnique ? new IndexOptions().unique(true) : new IndexOptions());
    try {
      collection.createIndexes(List.of(model), limit.on(new CreateIndexOptions()));
      return true;
    } catch (MongoException e) {
      if (MongoErrors.isDuplicate(e)) {
        return false;
      }
      throw e;
    }
  }
}
