package io.holdfast.jdbc;

import java.util.List;

/** SQLite's tables and its spelling of the statements, 3.42 or newer. */
final class SqliteDialect extends StandardDialect {

  @Override
  public List<String> tables() {
    return List.of(LOCKS, SESSIONS, NAMESPACE);
  }

  /**
   * {@code was_head} tells what the last release found. RETURNING shows only what a row has become,
   * so the row keeps it.
   */
  private static final String LOCKS =
      """
      CREATE TABLE IF NOT EXISTS {locks} (
        name     BLOB    NOT NULL PRIMARY KEY,
        number   INTEGER NOT NULL,
        since    INTEGER NOT NULL,
        revoked  INTEGER NOT NULL,
        was_head INTEGER NOT NULL,
        queue    TEXT    NOT NULL
      ) WITHOUT ROWID""";

  /**
   * {@code opened_in} tells the life of the file in which a session was opened: one copied along
   * with its file is over. {@code notices} are the requests revoked, each with a semicolon after.
   */
  private static final String SESSIONS =
      """
      CREATE TABLE IF NOT EXISTS {sessions} (
        id          TEXT    NOT NULL PRIMARY KEY,
        ttl         INTEGER NOT NULL,
        renewed     INTEGER NOT NULL,
        incarnation TEXT    NOT NULL,
        opened_in   TEXT    NOT NULL,
        process     TEXT    NOT NULL,
        notices     TEXT    NOT NULL
      ) WITHOUT ROWID""";

  /** {@code guard_until} is 0 for ever: a file has no restart guard. */
  private static final String NAMESPACE =
      """
      CREATE TABLE IF NOT EXISTS {namespace} (
        only_row       INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
        protocol       INTEGER NOT NULL,
        partitions     INTEGER NOT NULL,
        max_ttl        INTEGER NOT NULL,
        max_clock_step INTEGER NOT NULL,
        floor          INTEGER NOT NULL,
        life           TEXT    NOT NULL,
        guard_until    INTEGER NOT NULL
      )""";

  /**
   * Microseconds; SQLite's clock has milliseconds, and rounding undoes what its fraction lost. It
   * is read once per statement, on its first use, and every use is compiled behind the step that
   * takes the write lock: a statement that waited for another process sees the time at which its
   * wait was over, and the same time everywhere.
   */
  @Override
  String now() {
    return "CAST(round(unixepoch('subsec') * 1000) AS INTEGER) * 1000";
  }

  @Override
  String inNames() {
    return "IN (SELECT unhex(value) FROM json_each(:names))";
  }

  @Override
  String inSessions() {
    return "IN (SELECT value FROM json_each(:sessions))";
  }

  /** The file that the connection has open. */
  @Override
  String life() {
    return ":life";
  }

  @Override
  String incarnation() {
    return ":incarnation";
  }

  @Override
  String comparable(String column) {
    return comparableIfKnown(column);
  }

  @Override
  String spell(String text) {
    return text.replace("greatest(", "max(");
  }
}
