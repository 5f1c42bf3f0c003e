package io.holdfast.mongo.connection;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Builds documents, so that the code of a command looks like the command. */
public final class Documents {

  public static final BsonBoolean TRUE = BsonBoolean.TRUE;

  private Documents() {}

  public static BsonDocument doc() {
    return new BsonDocument();
  }

  public static BsonDocument doc(String field, BsonValue value) {
    return new BsonDocument(field, value);
  }

  public static BsonDocument exists(boolean there) {
    return doc("$exists", BsonBoolean.valueOf(there));
  }

  public static BsonDocument not(BsonValue value) {
    return doc("$ne", value);
  }

  public static BsonDocument in(List<BsonString> values) {
    return doc("$in", new BsonArray(values));
  }

  public static BsonString text(Object value) {
    return new BsonString(value.toString());
  }

  public static BsonInt32 number(int value) {
    return new BsonInt32(value);
  }

  public static BsonInt64 number(long value) {
    return new BsonInt64(value);
  }

  /** Returns the projection on some fields. No command asks for a whole document. */
  public static BsonDocument fields(String... names) {
    BsonDocument projection = doc();
    for (String name : names) {
      projection.append(name, number(1));
    }
    return projection;
  }
}
