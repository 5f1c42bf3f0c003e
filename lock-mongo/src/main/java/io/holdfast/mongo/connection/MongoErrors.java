package io.holdfast.mongo.connection;

import com.mongodb.MongoClientException;
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
import java.util.Set;
import javax.security.sasl.SaslException;
import org.jspecify.annotations.Nullable;

/**
 * Translates the driver's exceptions. When in doubt, the command may have been applied; an error
 * from a primary that steps down leaves it open too.
 *
 * @param where the name of the store in messages, without passwords
 */
public record MongoErrors(String where) {

  private static final int NO_TRANSACTION_NUMBERS = 20;
  private static final int DUPLICATE_KEY = 11000;
  private static final String NO_WRITES = "NoWritesPerformed";
  private static final String NO_JOURNAL = "journaling";
  private static final String CONCERN_ERROR = "writeConcernError";

  /** The codes of an answer that refuses the user, the password, or the way to log in. */
  private static final Set<Integer> NO_LOGIN = Set.of(11, 13, 18, 334, 8000);

  /**
   * Returns whether the answer also contains a write concern error: no majority has confirmed the
   * write.
   */
  static boolean hasWriteConcernError(MongoException e) {
    return e instanceof MongoCommandException command
        && command.getResponse().containsKey(CONCERN_ERROR);
  }

  /**
   * Returns whether a document was refused because another one has its key. With a write concern
   * error beside it, that one may still be rolled back.
   */
  static boolean isDuplicate(MongoException e) {
    return e.getCode() == DUPLICATE_KEY && !hasWriteConcernError(e);
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
    if (e instanceof MongoSecurityException login) {
      return ofLogin(login, before);
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

  /**
   * The driver throws this for every failure while a connection logs in, also if it only breaks.
   * The command was not sent.
   */
  private RuntimeException ofLogin(MongoSecurityException e, Effect before) {
    @Nullable Throwable cause = e.getCause();
    boolean isRefused =
        cause == null
            || cause instanceof SaslException
            || (cause instanceof MongoCommandException answer
                && NO_LOGIN.contains(answer.getCode()));
    return isRefused ? loginRefused(e) : unreached(e, before);
  }

  private BackendUnusableException loginRefused(MongoException e) {
    return unusable(
        e,
        "%s refused the login (%s). Look at user, password and authSource."
            .formatted(where, withCause(e)));
  }

  private RuntimeException ofServer(MongoException e, Effect before) {
    if (hasWriteConcernError(e)) {
      return unreached(e, Effect.UNKNOWN);
    }
    // Around an answer that the driver wants to explain it puts an exception without its code.
    if (e instanceof MongoClientException
        && e.getCause() instanceof MongoCommandException answer
        && answer.getCode() == NO_TRANSACTION_NUMBERS) {
      return ofServer(answer, before);
    }
    return switch (e.getCode()) {
      // Another command conflicted with it; the whole command was undone.
      case 112, 365, DUPLICATE_KEY ->
          new BackendFailure(
              before,
              "%s gave up a command that conflicted with another one (%s)."
                  .formatted(where, e.getMessage()),
              e);
      case 11, 18 -> loginRefused(e);
      case 13 ->
          unusable(
              e,
              "The user lacks a privilege at %s (%s). Grant the role readWrite on the database."
                  .formatted(where, e.getMessage()));
      case NO_TRANSACTION_NUMBERS ->
          unusable(
              e,
              "%s does not know transaction numbers (%s). Give the client retryWrites=false."
                  .formatted(where, e.getMessage()));
      case 2 ->
          String.valueOf(e.getMessage()).contains(NO_JOURNAL)
              ? unusable(
                  e,
                  "%s keeps no journal (%s), so it may forget who holds a lock. Start its members with one, and not with the storage engine inMemory."
                      .formatted(where, e.getMessage()))
              : refused(e);
      case 67 ->
          unusable(
              e,
              "%s cannot build a unique index on the sessions (%s), without which version 1 cannot be kept out. They seem to be sharded: stop all clients of version 1, wait for their longest TTL, and drop the collections of the locks; or use another prefix."
                  .formatted(where, e.getMessage()));
      case 85, 86 ->
          unusable(
              e,
              "A collection of the locks at %s has an index on the same field that is not ours (%s). Drop that index."
                  .formatted(where, e.getMessage()));
      case 148 ->
          unusable(
              e,
              "%s does not let clients read what a majority has confirmed (%s). Start its members without enableMajorityReadConcern: false."
                  .formatted(where, e.getMessage()));
      case 13297 ->
          unusable(
              e,
              "%s has a database whose name differs in capital letters alone (%s). Name that one, or one of another name."
                  .formatted(where, e.getMessage()));
      case 9, 14, 26, 40, 59, 66, 72, 73, 121, 123, 166, 224, 323, 8000, 10334, 17419, 17420 ->
          refused(e);
      default -> unreached(e, Effect.UNKNOWN);
    };
  }

  private BackendUnusableException refused(MongoException e) {
    return unusable(
        e,
        "%s refuses a command that the servers we know take (%s). It may not be MongoDB itself, or the collections are not ours."
            .formatted(where, e.getMessage()));
  }

  private BackendFailure unreached(MongoException e, Effect effect) {
    return new BackendFailure(
        effect,
        "%s cannot be reached, or the connection broke: %s".formatted(where, withCause(e)),
        e);
  }

  /** The message of what the driver throws for a login does not say what has failed. */
  private static @Nullable String withCause(MongoException e) {
    return e instanceof MongoSecurityException && e.getCause() != null
        ? "%s: %s".formatted(e.getMessage(), e.getCause().getMessage())
        : e.getMessage();
  }

  private static BackendUnusableException unusable(MongoException e, String message) {
    return new BackendUnusableException(message, e);
  }
}
