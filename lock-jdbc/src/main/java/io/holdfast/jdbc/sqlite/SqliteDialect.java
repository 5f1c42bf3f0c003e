package io.holdfast.jdbc.sqlite;

import io.holdfast.jdbc.database.StandardQueueTextDialect;
import java.util.List;

/** SQLite's tables and its spelling of the statements, 3.42 or newer. */
public final class SqliteDialect extends StandardQueueTextDialect {

  /**
   * A statement that fails is undone as a whole, as it is a transaction of its own. Told so, SQLite
   * keeps no copy of the page for undoing it alone.
   */
  private static String orRollback(String update) {
    return update.replace("UPDATE ", "UPDATE OR ROLLBACK ");
  }

  @Override
  public List<String> tables() {
    return List.of(LOCKS, SESSIONS, NAMESPACE);
  }

  /**
   * {@code answer} tells what the last removal found. RETURNING shows only what a row has become,
   * so the row keeps it.
   */
  private static final String LOCKS =
      """
      CREATE TABLE IF NOT EXISTS {locks} (
        name     BLOB    NOT NULL PRIMARY KEY,
        number   INTEGER NOT NULL,
        since    INTEGER NOT NULL,
        given_in TEXT    NOT NULL,
        answer   INTEGER NOT NULL,
        held     INTEGER NOT NULL,
        queue    TEXT    NOT NULL
      ) WITHOUT ROWID""";

  /**
   * {@code opened_in} is the incarnation of the file in which a session was opened: a session
   * copied with its file is over. {@code notices} are the requests revoked, each with a semicolon
   * after.
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

  /** {@code guard_until} is always 0: a file has no restart guard. */
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
  protected String now() {
    return "CAST(unixepoch('subsec') * 1000 + 0.5 AS INTEGER) * 1000";
  }

  @Override
  protected String inNames() {
    return "IN (SELECT unhex(value) FROM json_each(:names))";
  }

  @Override
  protected String inSessions() {
    return "IN (SELECT value FROM json_each(:sessions))";
  }

  /** The file that the connection has open. */
  @Override
  protected String dataIncarnation() {
    return ":dataincarnation";
  }

  @Override
  protected String incarnation() {
    return ":incarnation";
  }

  @Override
  protected String settled() {
    return settledAtOnce();
  }

  @Override
  protected String comparable(String column) {
    return comparableIfKnown(column);
  }

  /**
   * Without the tables of its own that SQLite fills for an INSERT with SELECT, and with the clock
   * read once. A request that must not be granted anything has no number, and its row is ignored.
   * An entry that was forgotten among the parameters would be so too.
   */
  @Override
  public String grab() {
    return in(
        """
        INSERT OR IGNORE INTO {locks} AS l (name, number, since, given_in, answer, held, queue)
        VALUES (
          :name,
          (SELECT greatest({now}, n.floor + 1) FROM {namespace} n
           WHERE EXISTS (SELECT 1 FROM {sessions} s
                         WHERE s.id = :session AND s.opened_in = {data incarnation})
             AND (:guard = 0 OR n.guard_until = 0 OR n.guard_until <= {now})),
          {now}, {data incarnation}, 0, length(:entry), :entry)
        ON CONFLICT (name) DO UPDATE SET
          number   = CASE WHEN queue = '' THEN greatest(excluded.number, l.number + 1)
                          ELSE l.number END,
          since    = CASE WHEN queue = '' THEN excluded.since ELSE l.since END,
          given_in = CASE WHEN queue = '' THEN excluded.given_in ELSE l.given_in END,
          held     = CASE WHEN queue = '' OR [may share] THEN length(queue) + excluded.held
                          ELSE l.held END,
          queue    = queue || excluded.queue
        WHERE queue = '' OR ([is new] AND ([may share] OR [may wait]))
        RETURNING CASE WHEN instr(queue, :mark) < held THEN number ELSE 0 END AS granted, since""");
  }

  @Override
  public String remove() {
    return orRollback(super.remove());
  }

  @Override
  public String take() {
    return orRollback(super.take());
  }

  @Override
  public String leave() {
    return orRollback(super.leave());
  }

  @Override
  protected String spell(String text) {
    return text.replace("greatest(", "max(");
  }
}
