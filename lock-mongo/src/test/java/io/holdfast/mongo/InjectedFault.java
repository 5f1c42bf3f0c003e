package io.holdfast.mongo;

import io.holdfast.mongo.WireProxy.Fate;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** An error that a command meets, before or after the server has done it. */
enum InjectedFault {
  LOST(new Fate.Lost()),
  LOST_AFTER(new Fate.DoneAndLost()),
  NOT_PRIMARY(new Fate.AnsweredInstead(error(10107, "NotWritablePrimary"))),
  NOT_PRIMARY_AFTER(new Fate.DoneAndAnswered(error(10107, "NotWritablePrimary"))),
  STEPPED_DOWN_AFTER(new Fate.DoneAndAnswered(error(11602, "InterruptedDueToReplStateChange"))),
  SHUT_DOWN_AFTER(new Fate.DoneAndAnswered(error(91, "ShutdownInProgress"))),
  TIME_OVER(new Fate.AnsweredInstead(error(50, "MaxTimeMSExpired"))),
  TIME_OVER_AFTER(new Fate.DoneAndAnswered(error(50, "MaxTimeMSExpired"))),
  NO_WRITES(new Fate.AnsweredInstead(labelled(error(11600, "InterruptedAtShutdown")))),
  CONFLICT(new Fate.AnsweredInstead(error(112, "WriteConflict"))),
  NO_PRIVILEGE(new Fate.AnsweredInstead(error(13, "Unauthorized"))),
  NO_MAJORITY_IN_TIME(new Fate.DoneWith(concernError(64, "WriteConcernTimeout"))),
  PRIMARY_GONE(new Fate.DoneWith(concernError(189, "PrimarySteppedDown")));

  private final Fate fate;

  InjectedFault(Fate fate) {
    this.fate = fate;
  }

  Fate fate() {
    return fate;
  }

  /** Whether the server has done the command all the same. */
  boolean isDone() {
    return !(fate instanceof Fate.Lost) && !(fate instanceof Fate.AnsweredInstead);
  }

  private static BsonDocument error(int code, String name) {
    return new BsonDocument("ok", new BsonDouble(0))
        .append("code", new BsonInt32(code))
        .append("codeName", new BsonString(name))
        .append("errmsg", new BsonString("Injected: " + name));
  }

  private static BsonDocument labelled(BsonDocument error) {
    BsonArray labels = new BsonArray();
    labels.add(new BsonString("RetryableWriteError"));
    labels.add(new BsonString("NoWritesPerformed"));
    return error.append("errorLabels", labels);
  }

  private static BsonDocument concernError(int code, String name) {
    return new BsonDocument(
        "writeConcernError",
        new BsonDocument("code", new BsonInt32(code))
            .append("codeName", new BsonString(name))
            .append("errmsg", new BsonString("Injected: " + name)));
  }
}
