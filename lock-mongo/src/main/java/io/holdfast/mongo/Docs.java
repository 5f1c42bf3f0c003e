package io.holdfast.mongo;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Writes commands so that they look like what is sent. */
final class Docs {

  static final BsonBoolean TRUE = BsonBoolean.TRUE;

  private Docs() {}

  static BsonDocument doc() {
    return new BsonDocument();
  }

  static BsonDocument doc(String field, BsonValue value) {
    return new BsonDocument(field, value);
  }

  static BsonDocument exists(boolean there) {
    return doc("$exists", BsonBoolean.valueOf(there));
  }

  static BsonDocument not(BsonValue value) {
    return doc("$ne", value);
  }

  static BsonDocument in(List<BsonString> values) {
    return doc("$in", new BsonArray(values));
  }

  static BsonString text(Object value) {
    return new BsonString(value.toString());
  }

  static BsonInt32 number(int value) {
    return new BsonInt32(value);
  }

  static BsonInt64 number(long value) {
    return new BsonInt64(value);
  }

  /** Returns the projection on some fields: nothing is ever asked for as a whole. */
  static BsonDocument fields(String... names) {
    BsonDocument projection = doc();
    for (String name : names) {
      projection.append(name, number(1));
    }
    return projection;
  }
}
