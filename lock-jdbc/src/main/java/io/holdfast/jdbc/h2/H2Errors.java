package io.holdfast.jdbc.h2;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.sql.SQLException;
import org.h2.api.ErrorCode;

/** Translates H2's errors into exceptions of this library. */
final class H2Errors {

  static final String READ_ONLY =
      "%s is read-only. Look at the permissions of its file and at the URI.";

  private H2Errors() {}

  /**
   * Returns whether the server or the database has gone. When the process has ended that had the
   * file open, the driver opens it by itself, or finds that another does so at the same moment. It
   * says so in the place of an answer, which may have been lost after the statement was done.
   */
  static boolean isBroken(SQLException e) {
    return switch (e.getErrorCode()) {
      case ErrorCode.CONNECTION_BROKEN_1,
          ErrorCode.DATABASE_IS_CLOSED,
          ErrorCode.DATABASE_CALLED_AT_SHUTDOWN,
          ErrorCode.OBJECT_CLOSED,
          ErrorCode.GENERAL_ERROR_1,
          ErrorCode.DATABASE_ALREADY_OPEN_1,
          ErrorCode.ERROR_OPENING_DATABASE_1,
          ErrorCode.IO_EXCEPTION_1,
          ErrorCode.IO_EXCEPTION_2 ->
          true;
      default -> false;
    };
  }

  /** Returns whether another process has the file open and does not serve it, or not yet. */
  static boolean isAlone(SQLException e) {
    return e.getErrorCode() == ErrorCode.DATABASE_ALREADY_OPEN_1;
  }

  /** Returns whether another process opens the file at the same moment. */
  static boolean isBeingOpened(SQLException e) {
    return e.getErrorCode() == ErrorCode.ERROR_OPENING_DATABASE_1;
  }

  /** Returns whether another client made the same row at the same moment. */
  static boolean isDuplicate(SQLException e) {
    return e.getErrorCode() == ErrorCode.DUPLICATE_KEY_1;
  }

  /** Returns whether only another client was in a statement's way. */
  static boolean isHarmless(SQLException e) {
    return switch (e.getErrorCode()) {
      case ErrorCode.DUPLICATE_KEY_1,
          ErrorCode.LOCK_TIMEOUT_1,
          ErrorCode.CONCURRENT_UPDATE_1,
          ErrorCode.DEADLOCK_1 ->
          true;
      default -> false;
    };
  }

  /** Returns whether trying again cannot help, because an administrator has to allow it first. */
  static boolean isForGood(SQLException e) {
    return switch (e.getErrorCode()) {
      case ErrorCode.NOT_ENOUGH_RIGHTS_FOR_1,
          ErrorCode.ADMIN_RIGHTS_REQUIRED,
          ErrorCode.DATABASE_IS_READ_ONLY ->
          true;
      default -> false;
    };
  }

  /**
   * Returns the exception to throw for a failure.
   *
   * @param before what the call had changed before the statement that failed
   * @param broken what it may have changed if the connection broke under that statement
   */
  static RuntimeException failure(String database, SQLException e, Effect before, Effect broken) {
    if (isBroken(e)) {
      return new BackendFailure(
          broken, "%s cannot be reached, or was closed: %s".formatted(database, e.getMessage()), e);
    }
    return switch (e.getErrorCode()) {
      case ErrorCode.WRONG_USER_OR_PASSWORD ->
          unusable(
              e,
              "%s refused the login (%s). Look at USER and PASSWORD in the URI."
                  .formatted(database, e.getMessage()));
      case ErrorCode.DATABASE_NOT_FOUND_WITH_IF_EXISTS_1, ErrorCode.REMOTE_DATABASE_NOT_FOUND_1 ->
          unusable(
              e,
              "%s does not exist, and we may not create it. Create it, or name another."
                  .formatted(database));
      case ErrorCode.NOT_ENOUGH_RIGHTS_FOR_1, ErrorCode.ADMIN_RIGHTS_REQUIRED ->
          unusable(
              e,
              "The user lacks a right at %s (%s). Grant SELECT, INSERT, UPDATE and DELETE on the tables; where they are missing, have an administrator make them."
                  .formatted(database, e.getMessage()));
      case ErrorCode.DATABASE_IS_READ_ONLY -> unusable(e, READ_ONLY.formatted(database));
      case ErrorCode.FILE_CORRUPTED_1, ErrorCode.FILE_VERSION_ERROR_1 ->
          unusable(
              e,
              "The file of %s is damaged, not of H2, or of another version of it (%s)."
                  .formatted(database, e.getMessage()));
      case ErrorCode.FILE_CREATION_FAILED_1, ErrorCode.URL_RELATIVE_TO_CWD ->
          unusable(e, "The file of %s cannot be made: %s".formatted(database, e.getMessage()));
      case ErrorCode.URL_FORMAT_ERROR_2,
          ErrorCode.UNSUPPORTED_SETTING_1,
          ErrorCode.UNSUPPORTED_SETTING_COMBINATION,
          ErrorCode.DUPLICATE_PROPERTY_1 ->
          unusable(e, "H2 does not take the URI of %s: %s".formatted(database, e.getMessage()));
      case ErrorCode.TABLE_OR_VIEW_NOT_FOUND_1,
          ErrorCode.TABLE_OR_VIEW_NOT_FOUND_WITH_CANDIDATES_2,
          ErrorCode.TABLE_OR_VIEW_NOT_FOUND_DATABASE_EMPTY_1,
          ErrorCode.COLUMN_NOT_FOUND_1,
          ErrorCode.FUNCTION_NOT_FOUND_1,
          ErrorCode.SCHEMA_NOT_FOUND_1 ->
          unusable(
              e,
              "The tables in %s are not those of this version of the library, or were removed while in use (%s). Use the version that made them, or another schema."
                  .formatted(database, e.getMessage()));
      default ->
          // A statement that fails is undone as a whole.
          new BackendFailure(
              before, "A statement failed at %s: %s".formatted(database, e.getMessage()), e);
    };
  }

  private static BackendUnusableException unusable(SQLException e, String message) {
    return new BackendUnusableException(message, e);
  }
}
