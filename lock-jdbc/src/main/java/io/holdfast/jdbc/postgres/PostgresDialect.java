package io.holdfast.jdbc.postgres;

import io.holdfast.jdbc.database.StandardDialect;
import io.holdfast.jdbc.database.Tables;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** PostgreSQL's tables and its spelling of the statements, for READ COMMITTED. */
public final class PostgresDialect extends StandardDialect {

  /**
   * The timeline, from the name of the log: the control file shows the old one for a while after a
   * promotion. A replica cannot be asked, so there nothing is read or done.
   */
  static final String TIMELINE = "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)";

  /** Where the server's end of a connection keeps the system identifier of its cluster. */
  static final String KEPT_SYSTEM = "holdfast.system";

  /**
   * When the server was started, in whole microseconds: how a fraction of a second is spelled
   * depends on the server's version and, before PostgreSQL 14, on the connection's settings.
   */
  static final String STARTED =
      "CAST(date_part('epoch', pg_postmaster_start_time()) * 1000000 AS bigint)";

  /** The version of the layout whose queues lie in a table of their own. */
  public static final int PROTOCOL = 2;

  @Override
  public int protocol() {
    return PROTOCOL;
  }

  @Override
  public Map<String, Set<String>> columns() {
    Map<String, Set<String>> columns = new HashMap<>(Tables.COLUMNS);
    columns.put(
        "locks",
        Set.of(
            "name",
            "number",
            "since",
            "head",
            "tail",
            "run",
            "version",
            "stay_from",
            "stay_for",
            "lock_delay",
            "given_in",
            "mode",
            "stay",
            "stay_in",
            "holder",
            "process",
            "why",
            "payload"));
    columns.put(
        "queue",
        Set.of(
            "name",
            "pos",
            "since",
            "stay_from",
            "stay_for",
            "lock_delay",
            "mode",
            "stay",
            "stay_in",
            "request",
            "process",
            "why",
            "payload"));
    return columns;
  }

  @Override
  public List<String> tables() {
    return List.of(LOCKS, QUEUE, SESSIONS, NAMESPACE);
  }

  /**
   * {@code holder} is the request to which {@code number} was given while that holds, or empty;
   * what follows it is of that request. {@code run} is how many entries of the queue hold. {@code
   * given_in} is the incarnation of the data in which {@code number} was given. Half of each page
   * is left free for new versions of its rows.
   */
  private static final String LOCKS =
      """
      CREATE TABLE IF NOT EXISTS {locks} (
        name       bytea  NOT NULL PRIMARY KEY,
        number     bigint NOT NULL,
        since      bigint NOT NULL,
        head       bigint NOT NULL DEFAULT 0,
        tail       bigint NOT NULL DEFAULT 0,
        run        bigint NOT NULL DEFAULT 0,
        version    bigint NOT NULL DEFAULT 0,
        stay_from  bigint NOT NULL DEFAULT 0,
        stay_for   bigint NOT NULL DEFAULT 0,
        lock_delay bigint NOT NULL DEFAULT 0,
        given_in   text   NOT NULL,
        mode       text   NOT NULL,
        stay       text   NOT NULL DEFAULT '',
        stay_in    text   NOT NULL DEFAULT '',
        holder     text   NOT NULL,
        process    text   NOT NULL,
        why        bytea  NOT NULL,
        payload    bytea  NOT NULL
      ) WITH (fillfactor = 50)""";

  /**
   * The entries up to the lock's {@code head} hold, those behind it wait. {@code since} is when it
   * came.
   */
  private static final String QUEUE =
      """
      CREATE TABLE IF NOT EXISTS {queue} (
        name       bytea  NOT NULL,
        pos        bigint NOT NULL,
        since      bigint NOT NULL,
        stay_from  bigint NOT NULL DEFAULT 0,
        stay_for   bigint NOT NULL DEFAULT 0,
        lock_delay bigint NOT NULL DEFAULT 0,
        mode       text   NOT NULL,
        stay       text   NOT NULL DEFAULT '',
        stay_in    text   NOT NULL DEFAULT '',
        request    text   NOT NULL UNIQUE,
        process    text   NOT NULL,
        why        bytea  NOT NULL,
        payload    bytea  NOT NULL,
        PRIMARY KEY (name, pos)
      )""";

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

  /**
   * The clock has whole microseconds, of which a double is off by less than a half: rounded, it is
   * the clock. As a {@code numeric} the same takes microseconds of its own.
   */
  @Override
  protected String now() {
    return "CAST(date_part('epoch', clock_timestamp()) * 1000000 AS bigint)";
  }

  /**
   * The timeline and the system identifier: a cluster that a dump was restored into, or that
   * follows another logically, counts its timelines again, and may lack grants. Physical replicas
   * have the identifier of their primary. Reading it means to read the control file, and to wait
   * while a checkpoint writes that, so a connection of ours keeps it; a proxy may lead a statement
   * where it was not kept. In a subquery both are asked for once, and no plan depends on them.
   */
  @Override
  protected String dataIncarnation() {
    return """
        (SELECT %s || '/' || coalesce(
           nullif(current_setting('%s', true), ''),
           CAST((pg_control_system()).system_identifier AS text)))"""
        .formatted(TIMELINE, KEPT_SYSTEM);
  }

  @Override
  protected String incarnation() {
    return "CAST(" + STARTED + " AS text)";
  }

  @Override
  protected String settled() {
    return settledSince(STARTED);
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

  @Override
  protected String spell(String text) {
    return text.replace("instr(", "strpos(");
  }
}
