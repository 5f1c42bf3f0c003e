package io.holdfast.jdbc.postgres;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.sql.SQLException;

/** Translates PostgreSQL's errors into exceptions of this library, by their SQLSTATE. */
final class PostgresErrors {

  private static final int CLASS = 2;

  private PostgresErrors() {}

  /** Returns whether the server has gone, or has sent us away. */
  static boolean isBroken(SQLException e) {
    return switch (state(e)) {
      case "57P01", "57P02", "57P03", "57P05" -> true;
      default -> state(e).startsWith("08");
    };
  }

  /**
   * Returns whether the server of a connection that could write has become a replica: it refuses
   * writes, or to tell its timeline.
   */
  static boolean isReadOnly(SQLException e) {
    return switch (state(e)) {
      case "25006", "55000" -> true;
      default -> false;
    };
  }

  /** Returns whether another client has inserted the same row first. */
  static boolean isDuplicateKey(SQLException e) {
    return state(e).equals("23505");
  }

  /** Returns whether only other transactions were in a statement's way. */
  static boolean isHarmless(SQLException e) {
    return switch (state(e)) {
      case "40P01", "40001", "55P03", "57014" -> true;
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
    return switch (state(e)) {
      case "28P01", "28000" ->
          unusable(
              e,
              "%s refused the login (%s). Look at user and password, and at the server's pg_hba.conf."
                  .formatted(database, message));
      case "3D000" ->
          unusable(
              e,
              "%s does not exist on that server. Create it, or name another.".formatted(database));
      case "3F000" ->
          unusable(
              e,
              "There is no schema for the tables in %s that the user may use (%s). Create one, grant USAGE on it, or name another with currentSchema in the URI."
                  .formatted(database, message));
      case "42501" ->
          unusable(
              e,
              "The user lacks a privilege at %s (%s). Grant SELECT, INSERT, UPDATE and DELETE on the tables, and USAGE on their schema; 'holdfast ddl' prints the names."
                  .formatted(database, message));
      case "25006" ->
          unusable(e, "%s is read-only (%s). Name the primary.".formatted(database, message));
      case "55000" -> // Of a login. A new connection does not ask a replica for its timeline.
          unusable(
              e,
              "%s lets nobody in, or has just become a replica (%s). Look at ALLOW_CONNECTIONS of the database, or name the primary."
                  .formatted(database, message));
      case "42883" -> // So do databases that are called PostgreSQL and are not.
          unusable(
              e,
              "%s lacks a function or an operator that is needed (%s). Use PostgreSQL from version 10 on, and tables that this version of the library has made, or another store."
                  .formatted(database, message));
      case "42P01", "42703", "42804", "42P10" ->
          unusable(
              e,
              "The tables in %s are not those of this version of the library, or were removed while in use (%s). Use the version that made them, or another schema."
                  .formatted(database, message));
      case "22P05", "22021" -> // All other texts are sent as bytes, or in ASCII.
          new BadRequestException(
              "The process identity has a character that %s cannot keep (%s). Give the client another one with processIdentity, or use a database with ENCODING 'UTF8'."
                  .formatted(database, message),
              e);
      case "40P01", "40001", "55P03", "57014" ->
          new BackendFailure(
              before,
              "%s gave a statement up: another transaction was in its way (%s)."
                  .formatted(database, message),
              e);
      case "53300" ->
          new BackendFailure(
              before, "%s has no connection left for us (%s).".formatted(database, message), e);
      default -> other(database, e, before, broken);
    };
  }

  private static RuntimeException other(
      String database, SQLException e, Effect before, Effect broken) {
    return switch (state(e).substring(0, Math.min(CLASS, state(e).length()))) {
      case "", "08", "57", "58", "XX" ->
          new BackendFailure(
              broken,
              "%s cannot be reached, or the connection broke: %s"
                  .formatted(database, e.getMessage()),
              e);
      default ->
          // Sent and refused: nothing was done.
          new BackendFailure(
              before, "A statement failed at %s: %s".formatted(database, e.getMessage()), e);
    };
  }

  private static String state(SQLException e) {
    return e.getSQLState() == null ? "" : e.getSQLState();
  }

  private static BackendUnusableException unusable(SQLException e, String message) {
    return new BackendUnusableException(message, e);
  }
}
