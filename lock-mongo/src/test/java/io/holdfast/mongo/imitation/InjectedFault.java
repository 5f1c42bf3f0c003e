package io.holdfast.mongo.imitation;

import io.holdfast.mongo.imitation.WireProxy.Fate;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** An error at a command, before or after the server has executed it. */
public enum InjectedFault {
  LOST,
  LOST_AFTER,
  NOT_PRIMARY,
  NOT_PRIMARY_AFTER,
  STEPPED_DOWN_AFTER,
  SHUT_DOWN_AFTER,
  TIME_OVER,
  TIME_OVER_AFTER,
  NO_WRITES,
  CONFLICT,
  NO_PRIVILEGE,
  NO_MAJORITY_IN_TIME,
  PRIMARY_GONE;

  /** Faults that differ in what the error says, and not in what has happened to the command. */
  public enum Kind {
    LOST,
    DONE_AND_LOST,
    REFUSED,
    DONE_AND_REFUSED,
    DONE_WITHOUT_MAJORITY;

    /** Returns the faults of this kind. */
    public List<InjectedFault> faults() {
      return Stream.of(InjectedFault.values()).filter(fault -> fault.kind() == this).toList();
    }
  }

  private Kind kind() {
    return switch (this) {
      case LOST -> Kind.LOST;
      case LOST_AFTER -> Kind.DONE_AND_LOST;
      case NOT_PRIMARY, TIME_OVER, NO_WRITES, CONFLICT, NO_PRIVILEGE -> Kind.REFUSED;
      case NOT_PRIMARY_AFTER, STEPPED_DOWN_AFTER, SHUT_DOWN_AFTER, TIME_OVER_AFTER ->
          Kind.DONE_AND_REFUSED;
      case NO_MAJORITY_IN_TIME, PRIMARY_GONE -> Kind.DONE_WITHOUT_MAJORITY;
    };
  }

  /** Returns what happens to the command. */
  public Fate fate() {
    return switch (this) {
      case LOST -> new Fate.Lost();
      case LOST_AFTER -> new Fate.DoneAndLost();
      case NOT_PRIMARY -> new Fate.AnsweredInstead(error(10107, "NotWritablePrimary"));
      case NOT_PRIMARY_AFTER -> new Fate.DoneAndAnswered(error(10107, "NotWritablePrimary"));
      case STEPPED_DOWN_AFTER ->
          new Fate.DoneAndAnswered(error(11602, "InterruptedDueToReplStateChange"));
      case SHUT_DOWN_AFTER -> new Fate.DoneAndAnswered(error(91, "ShutdownInProgress"));
      case TIME_OVER -> new Fate.AnsweredInstead(error(50, "MaxTimeMSExpired"));
      case TIME_OVER_AFTER -> new Fate.DoneAndAnswered(error(50, "MaxTimeMSExpired"));
      case NO_WRITES -> new Fate.AnsweredInstead(labelled(error(11600, "InterruptedAtShutdown")));
      case CONFLICT -> new Fate.AnsweredInstead(error(112, "WriteConflict"));
      case NO_PRIVILEGE -> new Fate.AnsweredInstead(error(13, "Unauthorized"));
      case NO_MAJORITY_IN_TIME -> new Fate.DoneWith(concernError(64, "WriteConcernTimeout"));
      case PRIMARY_GONE -> new Fate.DoneWith(concernError(189, "PrimarySteppedDown"));
    };
  }

  /** Returns whether the server executes the command. */
  public boolean isDone() {
    Fate fate = fate();
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
