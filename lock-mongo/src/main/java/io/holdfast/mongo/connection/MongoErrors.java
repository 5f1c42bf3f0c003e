package io.holdfast.mongo.connection;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoIncompatibleDriverException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoTimeoutException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;

/**
 * Translates the driver's exceptions. When in doubt, the command may have been applied; an error
 * from a primary that steps down leaves it open too.
 *
 * @param where the name of the store in messages, without passwords
 */
public record MongoErrors(String where) {

  private static final String NO_WRITES = "NoWritesPerformed";
  private static final String CONCERN_ERROR = "writeConcernError";

  /**
   * Returns whether the answer also contains a write concern error: no majority has confirmed the
   * write.
   */
  static boolean hasWriteConcernError(MongoException e) {
    return e instanceof MongoCommandException command
        && command.getResponse().containsKey(CONCERN_ERROR);
  }

  /**
   * Returns the exception to throw for an exception of the driver.
   *
   * @param before the effect of the verb's commands before the one that failed
   */
  public RuntimeException failure(RuntimeException e, Effect before) {
    if (e instanceof MongoException mongo) {
      return ofDriver(mongo, before);
    }
    return new BackendFailure(before, "The connection to %s was closed.".formatted(where), e);
  }

  /** Returns the exception for a {@code mongodb+srv} URI whose hosts DNS does not know. */
  BackendFailure hostsNotFound(MongoException e, Effect before) {
    return new BackendFailure(
        before, "The hosts of %s were not found by DNS: %s".formatted(where, e.getMessage()), e);
  }

  private RuntimeException ofDriver(MongoException e, Effect before) {
    if (e instanceof MongoSecurityException || e.getCode() == 18) {
      return unusable(
          e,
          "%s refused the login (%s). Look at user, password and authSource."
              .formatted(where, e.getMessage()));
    }
    if (e instanceof MongoIncompatibleDriverException) {
      return unusable(
          e, "%s is too old or too new for this driver (%s).".formatted(where, e.getMessage()));
    }
    // Checked first: the driver's own limit throws a MongoTimeoutException, but the command may
    // have been sent.
    if (TimeLimit.isOver(e) || e instanceof MongoInterruptedException) {
      return unreached(e, Effect.UNKNOWN);
    }
    if (e instanceof MongoTimeoutException
        || e instanceof MongoSocketOpenException
        || e instanceof MongoConnectionPoolClearedException
        || e.hasErrorLabel(NO_WRITES)) {
      return unreached(e, before);
    }
    return ofServer(e, before);
  }

  private RuntimeException ofServer(MongoException e, Effect before) {
    if (hasWriteConcernError(e)) {
      return unreached(e, Effect.UNKNOWN);
    }
    return switch (e.getCode()) {
      // Another command conflicted with it; the whole command was undone.
      case 112, 365, 11000 ->
          new BackendFailure(
              before,
              "%s gave up a command that conflicted with another one (%s)."
                  .formatted(where, e.getMessage()),
              e);
      case 13 ->
          unusable(
              e,
              "The user lacks a privilege at %s (%s). Grant the role readWrite on the database."
                  .formatted(where, e.getMessage()));
      case 20 ->
          unusable(
              e,
              "%s does not know transaction numbers (%s). Give the client retryWrites=false."
                  .formatted(where, e.getMessage()));
      case 2, 9, 14, 26, 40, 59, 66, 72, 121, 123, 224, 8000, 10334, 17419, 17420 ->
          unusable(
              e,
              "%s refuses a command that the servers we know take (%s). It may not be MongoDB itself, or the collections are not ours."
                  .formatted(where, e.getMessage()));
      default -> unreached(e, Effect.UNKNOWN);
    };
  }

  private BackendFailure unreached(MongoException e, Effect effect) {
    return new BackendFailure(
        effect,
        "%s cannot be reached, or the connection broke: %s".formatted(where, e.getMessage()),
        e);
  }

  private static BackendUnusableException unusable(MongoException e, String message) {
    return new BackendUnusableException(message, e);
  }
}
