package io.holdfast.jdbc.sqlite;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Translates SQLite's errors into exceptions of this library. */
final class SqliteErrors {

  /** An extended code's last byte is the plain code that it refines. */
  private static final int PLAIN = 0xff;

  private SqliteErrors() {}

  /**
   * Returns the exception to throw for a failure at the file.
   *
   * @param before what the call had changed before the statement that failed
   */
  static RuntimeException failure(SqliteFile file, SQLException e, Effect before) {
    if (e instanceof SQLiteException known
        && known.getResultCode() == SQLiteErrorCode.SQLITE_READONLY_DBMOVED) {
      return new BackendFailure(before, "The lock file %s was replaced.".formatted(file), e);
    }
    return switch (plain(e)) {
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL ->
          new BackendFailure(
              before,
              "The lock file %s was busy until the time for the call was over: another process writes to it, or was stopped while it did."
                  .formatted(file),
              e);
      case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH ->
          unusable(
              "The lock file %s cannot be used: %s."
                  .formatted(
                      file,
                      file.obstacle()
                          .orElse(
                              "it cannot be opened for writing (%s). Look at the permissions of the file, of those beside it that begin with its name, and of its directory, and whether the file system is read-only"
                                  .formatted(e.getMessage()))),
              e);
      case SQLITE_NOTADB ->
          unusable(
              "%s is not an SQLite database. Name another file, or delete this one if it is not needed."
                  .formatted(file),
              e);
      case SQLITE_CORRUPT ->
          unusable(
              "The lock file %s is damaged. Stop everything that uses it, delete it and the files beside it that end in -wal and -shm, and start again: locks that were held are then free."
                  .formatted(file),
              e);
      case SQLITE_FULL ->
          unusable("The disk with the lock file %s is full. Make room.".formatted(file), e);
      case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_CONSTRAINT ->
          unusable(
              "The tables in %s are not those of this version of the library, or were removed while in use (%s). Use the version that made them, or another file."
                  .formatted(file, e.getMessage()),
              e);
      default ->
          new BackendFailure(
              Effect.UNKNOWN, "SQLite failed at %s: %s".formatted(file, e.getMessage()), e);
    };
  }

  /** Returns whether another connection used the file. */
  static boolean isBusy(SQLException e) {
    SQLiteErrorCode code = plain(e);
    return code == SQLiteErrorCode.SQLITE_BUSY || code == SQLiteErrorCode.SQLITE_LOCKED;
  }

  private static SQLiteErrorCode plain(SQLException e) {
    return SQLiteErrorCode.getErrorCode(e.getErrorCode() & PLAIN);
  }

  private static BackendUnusableException unusable(String message, SQLException e) {
    return new BackendUnusableException(message, e);
  }
}
