package io.holdfast.jdbc.postgres;

import io.holdfast.SessionId;
import io.holdfast.jdbc.database.StandardDialect;
import java.util.List;

/** PostgreSQL's tables and its spelling of the statements, for READ COMMITTED. */
public final class PostgresDialect extends StandardDialect {

  /** The same whatever the tables are called: the id of a session is unique by itself. */
  private static final String CHANNEL = "holdfast_";

  private static final String NOTIFY_HEAD =
      "pg_notify('%s' || substr(queue, 2, 32), encode(name, 'hex'))".formatted(CHANNEL);

  @Override
  public List<String> tables() {
    return List.of(LOCKS, SESSIONS, NAMESPACE);
  }

  /**
   * {@code was_head} tells what the last release found. RETURNING shows only what a row has become,
   * so the row keeps it. A quarter of each page is left free for new versions of its rows.
   */
  private static final String LOCKS =
      """
      CREATE TABLE IF NOT EXISTS {locks} (
        name     bytea   NOT NULL PRIMARY KEY,
        number   bigint  NOT NULL,
        since    bigint  NOT NULL,
        revoked  bigint  NOT NULL,
        was_head boolean NOT NULL,
        queue    text    NOT NULL
      ) WITH (fillfactor = 75)""";

  /**
   * {@code opened_in} is the incarnation of the data in which a session was opened, and {@code
   * incarnation} the start of the server at its last renewal. {@code notices} are the requests
   * revoked, each with a semicolon after.
   */
  private static final String SESSIONS =
      """
      CREATE TABLE IF NOT EXISTS {sessions} (
        id          text   NOT NULL PRIMARY KEY,
        ttl         bigint NOT NULL,
        renewed     bigint NOT NULL,
        incarnation text   NOT NULL,
        opened_in   text   NOT NULL,
        process     text   NOT NULL,
        notices     text   NOT NULL
      ) WITH (fillfactor = 50)""";

  /**
   * {@code life} and {@code guard_until} are changed together, when a new incarnation of the data
   * is first seen.
   */
  private static final String NAMESPACE =
      """
      CREATE TABLE IF NOT EXISTS {namespace} (
        only_row       integer NOT NULL PRIMARY KEY CHECK (only_row = 1),
        protocol       integer NOT NULL,
        partitions     integer NOT NULL,
        max_ttl        bigint  NOT NULL,
        max_clock_step bigint  NOT NULL,
        floor          bigint  NOT NULL,
        life           text    NOT NULL,
        guard_until    bigint  NOT NULL
      )""";

  /** Returns the channel on which a session is told that it may be its turn. */
  static String channel(SessionId session) {
    return CHANNEL + session.value();
  }

  /**
   * A release that frees the lock sends no notification: it would wait for every other that does.
   */
  private final String release =
      super.release() + ", CASE WHEN was_head AND queue <> '' THEN %s END".formatted(NOTIFY_HEAD);

  private final String overtake =
      super.overtake() + ", CASE WHEN instr(queue, :mark) <> 1 THEN %s END".formatted(NOTIFY_HEAD);

  @Override
  public String release() {
    return release;
  }

  @Override
  public String overtake() {
    return overtake;
  }

  /**
   * The clock has whole microseconds, of which a double is off by less than a half: rounded, it is
   * the clock. As a {@code numeric} the same takes microseconds of its own.
   */
  @Override
  protected String now() {
    return "CAST(date_part('epoch', clock_timestamp()) * 1000000 AS bigint)";
  }

  /**
   * The timeline, from the name of the log: the control file shows the old one for a while after a
   * promotion. A replica cannot be asked, so there nothing is read or done. In a subquery it is
   * asked once, and no plan depends on it.
   */
  @Override
  protected String dataIncarnation() {
    return "(SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))";
  }

  @Override
  protected String incarnation() {
    return "CAST(extract(epoch FROM pg_postmaster_start_time()) AS text)";
  }

  @Override
  protected String counted(String column) {
    return countedSince(
        "CAST(1000000 * extract(epoch FROM pg_postmaster_start_time()) AS bigint)", 0, column);
  }

  /**
   * A connection on which it was not set comes from a proxy that hands connections on. Where it is
   * stricter, it is left as it is.
   */
  @Override
  protected String durably() {
    return """
        coalesce((SELECT set_config('synchronous_commit', 'on', true)
                  WHERE current_setting('synchronous_commit')
                        IN ('off', 'local', 'remote_write')), '') <> 'off'""";
  }

  /** An array: with a subquery instead, the planner may read the whole table. */
  @Override
  protected String inNames() {
    return """
        = ANY (ARRAY(SELECT decode(v, 'hex')
                     FROM json_array_elements_text(CAST(:names AS json)) v))""";
  }

  @Override
  protected String inSessions() {
    return "= ANY (ARRAY(SELECT json_array_elements_text(CAST(:sessions AS json))))";
  }

  /** Whether a request is the head: without a search through the queue. */
  @Override
  protected String spell(String text) {
    return text.replace("instr(queue, :mark) = 1", "left(queue, length(:mark)) = :mark")
        .replace("instr(", "strpos(");
  }
}
