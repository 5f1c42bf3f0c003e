package io.holdfast.mongo.mongod;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.holdfast.mongo.MongoNames;
import io.holdfast.mongo.connection.CollectionRole;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Makes another incarnation of a server that is started again. A standalone server stays the same
 * one, because its clock goes on.
 */
final class EarlierPrimary {

  private static final BsonString INCARNATION = new BsonString("an earlier primary");

  private EarlierPrimary() {}

  /** Changes all records as if an earlier primary had written them, but for those just written. */
  static void wrote(MongoDatabase database) {
    for (CollectionRole part : CollectionRole.values()) {
      MongoCollection<BsonDocument> records =
          database.getCollection(part.nameWith(MongoNames.PREFIX_DEFAULT), BsonDocument.class);
      for (BsonDocument read : records.find()) {
        records.replaceOne(unchanged(read), aged(read));
      }
    }
  }

  /** Every change of a record changes one of its counts. */
  private static BsonDocument unchanged(BsonDocument record) {
    BsonDocument filter = new BsonDocument();
    record.forEach(
        (field, value) -> {
          if (value.isString() || value.isNumber()) {
            filter.append(field, value);
          }
        });
    return filter;
  }

  /** The incarnation is in a session's record, in its notices and in the stays of a lock. */
  private static BsonDocument aged(BsonDocument record) {
    BsonDocument aged = new BsonDocument();
    record.forEach((field, value) -> aged.append(field, aged(field, value)));
    return aged;
  }

  private static BsonValue aged(String field, BsonValue value) {
    if (value.isDocument()) {
      return aged(value.asDocument());
    }
    return field.equals("inc") ? INCARNATION : value;
  }
}
