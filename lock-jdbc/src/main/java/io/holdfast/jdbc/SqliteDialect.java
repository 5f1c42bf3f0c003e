package io.holdfast.jdbc;

import java.util.List;

/**
 * The statements in SQLite's SQL, 3.42 or newer.
 *
 * <p>{@code {now}} stands for the store's clock. SQLite reads it once per statement, on its first
 * use, and compiles every use behind the step that takes the write lock: a statement that waited
 * for another process sees the time at which its wait was over, and the same time everywhere.
 */
final class SqliteDialect implements Dialect {

  /** Microseconds; SQLite's clock has milliseconds, and rounding undoes what its fraction lost. */
  private static final String NOW = "CAST(round(unixepoch('subsec') * 1000) AS INTEGER) * 1000";

  private static final String DEFAULT_PREFIX = "holdfast_";

  /** Returns a statement of this dialect as the database takes it. */
  static String render(String text, String prefix) {
    return text.replace("{now}", NOW).replace(DEFAULT_PREFIX, prefix);
  }

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
      CREATE TABLE IF NOT EXISTS holdfast_locks (
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
      CREATE TABLE IF NOT EXISTS holdfast_sessions (
        id          TEXT    NOT NULL PRIMARY KEY,
        ttl         INTEGER NOT NULL,
        renewed     INTEGER NOT NULL,
        incarnation TEXT    NOT NULL,
        opened_in   TEXT    NOT NULL,
        process     TEXT    NOT NULL,
        notices     TEXT    NOT NULL
      ) WITHOUT ROWID""";

  private static final String NAMESPACE =
      """
      CREATE TABLE IF NOT EXISTS holdfast_namespace (
        only           INTEGER NOT NULL PRIMARY KEY CHECK (only = 1),
        protocol       INTEGER NOT NULL,
        partitions     INTEGER NOT NULL,
        max_ttl        INTEGER NOT NULL,
        max_clock_step INTEGER NOT NULL,
        floor          INTEGER NOT NULL
      )""";

  @Override
  public String namespace() {
    return """
        SELECT protocol, partitions, max_ttl, max_clock_step FROM holdfast_namespace""";
  }

  @Override
  public String writeNamespace() {
    return """
        INSERT INTO holdfast_namespace (only, protocol, partitions, max_ttl, max_clock_step, floor)
        VALUES (1, :protocol, :partitions, :maxttl, :maxclockstep, 0)
        ON CONFLICT (only) DO NOTHING""";
  }

  @Override
  public String openSession() {
    return """
        INSERT INTO holdfast_sessions (id, ttl, renewed, incarnation, opened_in, process, notices)
        VALUES (:session, :ttl, {now}, :incarnation, :openedin, :process, '')
        ON CONFLICT (id) DO NOTHING
        RETURNING renewed""";
  }

  @Override
  public String renew() {
    return """
        UPDATE holdfast_sessions SET renewed = {now}, incarnation = :incarnation
        WHERE id = :session
        RETURNING ttl, notices, renewed""";
  }

  @Override
  public String closeSession() {
    return """
        DELETE FROM holdfast_sessions WHERE id = :session""";
  }

  @Override
  public String endLapsed() {
    return """
        DELETE FROM holdfast_sessions
        WHERE id = :session AND incarnation = :incarnation AND renewed <= {now}
          AND renewed + ttl + (SELECT max_clock_step FROM holdfast_namespace) <= {now}""";
  }

  @Override
  public String restampSession() {
    return """
        UPDATE holdfast_sessions SET
          renewed = CASE WHEN incarnation <> :incarnation OR renewed > {now}
                         THEN {now} ELSE renewed END,
          incarnation = :incarnation
        WHERE id = :session""";
  }

  @Override
  public String grab() {
    return """
        INSERT INTO holdfast_locks AS l (name, number, since, revoked, was_head, queue)
        SELECT :name, max({now}, n.floor + 1), {now}, 0, 0, :entry
        FROM holdfast_namespace n
        WHERE EXISTS (SELECT 1 FROM holdfast_sessions s WHERE s.id = :session)
        ON CONFLICT (name) DO UPDATE SET
          number = CASE WHEN l.queue = '' THEN max(excluded.number, l.number + 1) ELSE l.number END,
          since  = CASE WHEN l.queue = '' THEN excluded.since ELSE l.since END,
          queue  = l.queue || excluded.queue
        WHERE l.queue = ''
           OR (:join AND instr(l.queue, :mark) = 0
               AND length(l.queue) + length(excluded.queue) <= :cap)
        RETURNING number, since, queue = :entry AS granted""";
  }

  @Override
  public String standing() {
    return """
        SELECT EXISTS (SELECT 1 FROM holdfast_sessions m WHERE m.id = :session) AS mine,
               l.name, l.number, l.since, l.revoked, l.queue, s.ttl, s.renewed, s.incarnation,
               n.max_clock_step AS step, 0 AS guard, {now} AS now
        FROM holdfast_namespace n
        LEFT JOIN holdfast_locks l ON l.name = :name
        LEFT JOIN holdfast_sessions s ON s.id = substr(l.queue, 2, 32)""";
  }

  @Override
  public String overtake() {
    return """
        UPDATE holdfast_locks AS l SET
          number = max({now}, number + 1), since = {now}, revoked = 0,
          queue = CASE WHEN instr(queue, ';') = length(queue) THEN :entry
                       ELSE substr(queue, instr(queue, ';') + 1) END
        WHERE name = :name AND number = :number AND instr(queue, :head) = 1
          AND EXISTS (SELECT 1 FROM holdfast_sessions m WHERE m.id = :session)
          AND NOT EXISTS (
            SELECT 1 FROM holdfast_sessions s, holdfast_namespace n
            WHERE s.id = substr(l.queue, 2, 32)
              AND (l.revoked = 0 OR l.revoked + s.ttl + n.max_clock_step > {now}))
        RETURNING number, since, instr(queue, :mark) = 1 AS granted""";
  }

  @Override
  public String release() {
    return """
        UPDATE holdfast_locks SET
          number   = CASE WHEN instr(queue, :mark) = 1 AND instr(queue, ';') < length(queue)
                          THEN max({now}, number + 1) ELSE number END,
          since    = CASE WHEN instr(queue, :mark) = 1 THEN {now} ELSE since END,
          revoked  = CASE WHEN instr(queue, :mark) = 1 THEN 0 ELSE revoked END,
          was_head = instr(queue, :mark) = 1,
          queue    = substr(queue, 1, instr(queue, :mark) - 1)
                     || substr(queue, instr(queue, :mark)
                                      + instr(substr(queue, instr(queue, :mark)), ';'))
        WHERE name = :name AND instr(queue, :mark) > 0
        RETURNING was_head, queue = '' AS empty""";
  }

  @Override
  public String notifyRevoked() {
    return """
        UPDATE holdfast_sessions SET notices = notices || :request || ';'
        WHERE id = :holder AND instr(notices, :request || ';') = 0
          AND EXISTS (SELECT 1 FROM holdfast_locks
                      WHERE name = :name AND number = :number AND instr(queue, :head) = 1)""";
  }

  @Override
  public String markRevoked() {
    return """
        UPDATE holdfast_locks SET
          revoked = CASE WHEN revoked BETWEEN 1 AND {now} THEN revoked ELSE {now} END
        WHERE name = :name AND number = :number AND instr(queue, :head) = 1
        RETURNING coalesce((SELECT max(0, revoked + s.ttl + n.max_clock_step - {now})
                            FROM holdfast_sessions s, holdfast_namespace n
                            WHERE s.id = :holder), 0) AS remaining""";
  }

  @Override
  public String restampRevoked() {
    return """
        UPDATE holdfast_locks SET revoked = {now} WHERE name = :name AND revoked > {now}""";
  }

  @Override
  public String evict() {
    return """
        UPDATE holdfast_locks SET
          number = CASE WHEN instr(queue, ';') < length(queue)
                        THEN max({now}, number + 1) ELSE number END,
          since = {now}, revoked = 0, queue = substr(queue, instr(queue, ';') + 1)
        WHERE name = :name AND number = :number AND instr(queue, :head) = 1""";
  }

  @Override
  public String acknowledge() {
    return """
        UPDATE holdfast_sessions SET notices = replace(notices, :request || ';', '')
        WHERE id = :session AND instr(notices, :request || ';') > 0""";
  }

  @Override
  public String queues() {
    return """
        SELECT name, number, since, revoked, queue, {now} AS now FROM holdfast_locks
        WHERE name IN (SELECT unhex(value) FROM json_each(:names))""";
  }

  @Override
  public String sessions() {
    return """
        SELECT s.id, s.ttl, s.renewed, s.incarnation, n.max_clock_step AS step, {now} AS now
        FROM holdfast_namespace n
        LEFT JOIN holdfast_sessions s ON s.id IN (SELECT value FROM json_each(:sessions))""";
  }

  @Override
  public String list() {
    return """
        SELECT l.name, l.number, l.since, l.revoked, l.queue, s.ttl, s.renewed, s.incarnation,
               n.max_clock_step AS step, {now} AS now
        FROM holdfast_namespace n, holdfast_locks l
        LEFT JOIN holdfast_sessions s ON s.id = substr(l.queue, 2, 32)
        WHERE l.name >= :low AND l.name < :high AND l.queue <> ''
        ORDER BY l.name LIMIT :most""";
  }

  @Override
  public String idleRecords() {
    return """
        SELECT name, number, queue = '' AS free FROM holdfast_locks l
        WHERE since <= {now} - :idle
          AND (queue = '' OR NOT EXISTS (SELECT 1 FROM holdfast_sessions s
                                         WHERE s.id = substr(l.queue, 2, 32)))
        LIMIT :most""";
  }

  @Override
  public String evictOrphans() {
    return """
        UPDATE holdfast_locks AS l SET
          number = CASE WHEN instr(queue, ';') < length(queue)
                        THEN max({now}, number + 1) ELSE number END,
          since = {now}, revoked = 0, queue = substr(queue, instr(queue, ';') + 1)
        WHERE name IN (SELECT unhex(value) FROM json_each(:names)) AND queue <> ''
          AND NOT EXISTS (SELECT 1 FROM holdfast_sessions s WHERE s.id = substr(l.queue, 2, 32))""";
  }

  @Override
  public String raiseFloor() {
    return """
        UPDATE holdfast_namespace SET floor = :number WHERE floor < :number""";
  }

  @Override
  public String deleteFree() {
    return """
        DELETE FROM holdfast_locks
        WHERE name IN (SELECT unhex(value) FROM json_each(:names))
          AND queue = '' AND since <= {now} - :idle
          AND number <= (SELECT floor FROM holdfast_namespace)""";
  }

  /**
   * Sessions of another incarnation are not given a new time here, as a waiter would: the machine
   * was booted since, so their processes are gone, and machines that are switched off every night
   * would keep them for ever.
   */
  @Override
  public String deleteLapsed() {
    return """
        DELETE FROM holdfast_sessions WHERE id IN (
          SELECT id FROM holdfast_sessions
          WHERE renewed + ttl + (SELECT max_clock_step FROM holdfast_namespace) <= {now} - :idle
          LIMIT :most)""";
  }
}
