package io.holdfast.jdbc.mariadb;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Translates the errors of MariaDB and MySQL into exceptions of this library, by their numbers. */
final class MariaErrors {

  private static final int OUT_OF_RANGE = 1690;

  private MariaErrors() {}

  /** Returns whether the server has gone, or has sent us away; not whether it was too slow. */
  static boolean isBroken(SQLException e) {
    for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException) {
        return false;
      }
    }
    return switch (e.getErrorCode()) {
      case 1053, 1152, 1927 -> true;
      // A driver that was told of several hosts has gone to another one by itself.
      default -> state(e).startsWith("08") || state(e).equals("25S03");
    };
  }

  /** Returns whether the server of a connection that could write takes no writes any more. */
  static boolean isReadOnly(SQLException e) {
    return switch (e.getErrorCode()) {
      case 1290 -> !isWithoutInnoDb(e);
      case 1792, 1836 -> true;
      default -> false;
    };
  }

  /** The number that this has is that of any option which is in a statement's way. */
  private static boolean isWithoutInnoDb(SQLException e) {
    return String.valueOf(e.getMessage()).contains("NO_ENGINE_SUBSTITUTION");
  }

  /** Returns whether only other transactions were in a statement's way. */
  static boolean isHarmless(SQLException e) {
    return switch (e.getErrorCode()) {
      case 1020, 1205, 1213, 1317, 1614, 1969, 3024 -> true;
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
    String message = String.valueOf(e.getMessage());
    if (isHarmless(e)) {
      return new BackendFailure(
          before,
          "%s gave a statement up: another transaction was in its way (%s)."
              .formatted(database, message),
          e);
    }
    return switch (e.getErrorCode()) {
      case 1045, 1130, 1251, 1698, 1820, 1862 ->
          unusable(
              e,
              "%s refused the login (%s). Look at user and password, and at the hosts from which the user may come."
                  .formatted(database, message));
      case 1046 ->
          unusable(
              e,
              "The URI of %s names no database. Add one: jdbc:mariadb://host/database"
                  .formatted(database));
      case 1049 ->
          unusable(
              e,
              "%s does not exist on that server. Create it, or name another.".formatted(database));
      case 1044, 1142, 1143, 1227, 1370 ->
          unusable(
              e,
              "The user lacks a privilege at %s (%s). Grant SELECT, INSERT, UPDATE and DELETE on the tables, and CREATE on the database where they are missing."
                  .formatted(database, message));
      case 1290 -> isWithoutInnoDb(e) ? withoutInnoDb(database, e) : readOnly(database, e);
      case 1792, 1836 -> readOnly(database, e);
      case 1054, 1136, 1146, 1364, 1366, 1406 ->
          unusable(
              e,
              "The tables in %s are not those of this version of the library, or were removed while in use (%s). Use the version that made them, or another database."
                  .formatted(database, message));
      case 1286 -> withoutInnoDb(database, e);
      case 1665 ->
          unusable(
              e,
              "%s logs statements as text (%s). Set binlog_format to MIXED or ROW."
                  .formatted(database, message));
      case 1114, 1021 ->
          unusable(e, "The disk of %s is full (%s). Make room.".formatted(database, message));
      case OUT_OF_RANGE -> // See MariaDialect.dataIncarnation.
          // A driver or proxy that went to another server may have repeated there what the first
          // one has done, without having answered.
          ledElsewhere(database, broken, e);
      case 1040, 1203, 1226 ->
          new BackendFailure(
              before, "%s has no connection left for us (%s).".formatted(database, message), e);
      default -> other(database, e, before, broken);
    };
  }

  /**
   * Returns what a statement fails with that finds another data incarnation on record than that of
   * its connection, which is replaced then.
   */
  static SQLException anotherIncarnation() {
    return new SQLException(
        "The incarnation on record is not that of the connection.", "22003", OUT_OF_RANGE);
  }

  /**
   * Returns the exception that says that the server of a connection is not the one that it had when
   * it was made.
   */
  static BackendFailure ledElsewhere(String database, Effect before, @Nullable Exception cause) {
    return new BackendFailure(
        before,
        "A connection to %s was led to another server, or to the same one after a restart, or its timestamp was set, so it is replaced."
            .formatted(database),
        cause);
  }

  private static BackendUnusableException readOnly(String database, SQLException e) {
    return unusable(
        e, "%s is read-only (%s). Name the primary.".formatted(database, e.getMessage()));
  }

  private static BackendUnusableException withoutInnoDb(String database, SQLException e) {
    return unusable(
        e,
        "%s has no InnoDB for us (%s), and other kinds of tables lose locks. Allow tables of ENGINE = InnoDB."
            .formatted(database, e.getMessage()));
  }

  private static RuntimeException other(
      String database, SQLException e, Effect before, Effect broken) {
    // Without a number it comes from the driver, and 1180 from a commit that has failed halfway.
    return isBroken(e) || e.getErrorCode() <= 0 || e.getErrorCode() == 1180
        ? new BackendFailure(
            broken,
            "%s cannot be reached, or the connection broke: %s".formatted(database, e.getMessage()),
            e)
        // Sent and refused: nothing was done.
        : new BackendFailure(
            before, "A statement failed at %s: %s".formatted(database, e.getMessage()), e);
  }

  private static String state(SQLException e) {
    return e.getSQLState() == null ? "" : e.getSQLState();
  }

  private static BackendUnusableException unusable(SQLException e, String message) {
    return new BackendUnusableException(message, e);
  }
}
