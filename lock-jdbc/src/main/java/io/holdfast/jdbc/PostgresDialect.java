package io.holdfast.jdbc;

import java.util.List;

/**
 * The statements in PostgreSQL's SQL, for READ COMMITTED.
 *
 * <p>A statement that waited for a row sees what the row has become: its conditions and its new
 * values, the clock among them, are evaluated once more. What it reads of other tables it sees as
 * it was when the statement began. So nothing is decided by another table but what cannot be
 * undone: a session that is not there never comes back, and one that has been ended since is dealt
 * with like any other that dies after its grant. The floor is the one exception, see {@link
 * #deleteFree}.
 */
final class PostgresDialect implements Dialect {

  private static final String NOW =
      "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000000) AS bigint)";

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
   * so the row keeps it. A quarter of each page is left free for new versions of its rows.
   */
  private static final String LOCKS =
      """
      CREATE TABLE IF NOT EXISTS holdfast_locks (
        name     bytea   NOT NULL PRIMARY KEY,
        number   bigint  NOT NULL,
        since    bigint  NOT NULL,
        revoked  bigint  NOT NULL,
        was_head boolean NOT NULL,
        queue    text    NOT NULL
      ) WITH (fillfactor = 75)""";

  /**
   * {@code opened_in} tells the life of the database in which a session was opened, and {@code
   * incarnation} the start of the server at its last renewal. {@code notices} are the requests
   * revoked, each with a semicolon after.
   */
  private static final String SESSIONS =
      """
      CREATE TABLE IF NOT EXISTS holdfast_sessions (
        id          text   NOT NULL PRIMARY KEY,
        ttl         bigint NOT NULL,
        renewed     bigint NOT NULL,
        incarnation text   NOT NULL,
        opened_in   text   NOT NULL,
        process     text   NOT NULL,
        notices     text   NOT NULL
      ) WITH (fillfactor = 50)""";

  /** {@code life} and {@code guard_until} are changed together, when a new life is first seen. */
  private static final String NAMESPACE =
      """
      CREATE TABLE IF NOT EXISTS holdfast_namespace (
        only_row       integer NOT NULL PRIMARY KEY CHECK (only_row = 1),
        protocol       integer NOT NULL,
        partitions     integer NOT NULL,
        max_ttl        bigint  NOT NULL,
        max_clock_step bigint  NOT NULL,
        floor          bigint  NOT NULL,
        life           text    NOT NULL,
        guard_until    bigint  NOT NULL
      )""";

  @Override
  public String namespace() {
    return """
        SELECT protocol, partitions, max_ttl, max_clock_step FROM holdfast_namespace""";
  }

  @Override
  public String writeNamespace() {
    return """
        INSERT INTO holdfast_namespace
          (only_row, protocol, partitions, max_ttl, max_clock_step, floor, life, guard_until)
        VALUES (1, :protocol, :partitions, :maxttl, :maxclockstep, 0, :openedin, 0)
        ON CONFLICT (only_row) DO NOTHING""";
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

  /**
   * The clock once more where the row was there: what stands in {@code excluded} was read before
   * the wait for it.
   */
  @Override
  public String grab() {
    return """
        INSERT INTO holdfast_locks AS l (name, number, since, revoked, was_head, queue)
        SELECT :name, greatest({now}, n.floor + 1), {now}, 0, false, :entry
        FROM holdfast_namespace n
        WHERE EXISTS (SELECT 1 FROM holdfast_sessions s WHERE s.id = :session)
          AND (:guard = 0 OR n.guard_until <= {now})
        ON CONFLICT (name) DO UPDATE SET
          number = CASE WHEN l.queue = '' THEN greatest({now}, excluded.number, l.number + 1)
                        ELSE l.number END,
          since  = CASE WHEN l.queue = '' THEN {now} ELSE l.since END,
          queue  = l.queue || excluded.queue
        WHERE l.queue = ''
           OR (:join = 1 AND strpos(l.queue, :mark) = 0
               AND length(l.queue) + length(excluded.queue) <= :cap)
        RETURNING number, since, queue = :entry AS granted""";
  }

  @Override
  public String standing() {
    return """
        SELECT EXISTS (SELECT 1 FROM holdfast_sessions m WHERE m.id = :session) AS mine,
               l.name, l.number, l.since, l.revoked, l.queue, s.ttl, s.renewed, s.incarnation,
               n.max_clock_step AS step, n.guard_until AS guard, {now} AS now
        FROM holdfast_namespace n
        LEFT JOIN holdfast_locks l ON l.name = :name
        LEFT JOIN holdfast_sessions s ON s.id = substr(l.queue, 2, 32)""";
  }

  @Override
  public String overtake() {
    return """
        UPDATE holdfast_locks AS l SET
          number = greatest({now}, number + 1), since = {now}, revoked = 0,
          queue = CASE WHEN strpos(queue, ';') = length(queue) THEN :entry
                       ELSE substr(queue, strpos(queue, ';') + 1) END
        WHERE name = :name AND number = :number AND strpos(queue, :head) = 1
          AND EXISTS (SELECT 1 FROM holdfast_sessions m WHERE m.id = :session)
          AND (:guard = 0
               OR EXISTS (SELECT 1 FROM holdfast_namespace g WHERE g.guard_until <= {now}))
          AND NOT EXISTS (
            SELECT 1 FROM holdfast_sessions s, holdfast_namespace n
            WHERE s.id = substr(l.queue, 2, 32)
              AND (l.revoked = 0 OR l.revoked + s.ttl + n.max_clock_step > {now}))
        RETURNING number, since, strpos(queue, :mark) = 1 AS granted""";
  }

  @Override
  public String release() {
    return """
        UPDATE holdfast_locks SET
          number   = CASE WHEN strpos(queue, :mark) = 1 AND strpos(queue, ';') < length(queue)
                          THEN greatest({now}, number + 1) ELSE number END,
          since    = CASE WHEN strpos(queue, :mark) = 1 THEN {now} ELSE since END,
          revoked  = CASE WHEN strpos(queue, :mark) = 1 THEN 0 ELSE revoked END,
          was_head = strpos(queue, :mark) = 1,
          queue    = substr(queue, 1, strpos(queue, :mark) - 1)
                     || substr(queue, strpos(queue, :mark)
                                      + strpos(substr(queue, strpos(queue, :mark)), ';'))
        WHERE name = :name AND strpos(queue, :mark) > 0
        RETURNING was_head, queue = '' AS empty""";
  }

  @Override
  public String notifyRevoked() {
    return """
        UPDATE holdfast_sessions SET notices = notices || :request || ';'
        WHERE id = :holder AND strpos(notices, :request || ';') = 0
          AND EXISTS (SELECT 1 FROM holdfast_locks
                      WHERE name = :name AND number = :number AND strpos(queue, :head) = 1)""";
  }

  @Override
  public String markRevoked() {
    return """
        UPDATE holdfast_locks AS l SET
          revoked = CASE WHEN revoked BETWEEN 1 AND {now} THEN revoked ELSE {now} END
        WHERE name = :name AND number = :number AND strpos(queue, :head) = 1
        RETURNING coalesce((SELECT greatest(0, l.revoked + s.ttl + n.max_clock_step - {now})
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
          number = CASE WHEN strpos(queue, ';') < length(queue)
                        THEN greatest({now}, number + 1) ELSE number END,
          since = {now}, revoked = 0, queue = substr(queue, strpos(queue, ';') + 1)
        WHERE name = :name AND number = :number AND strpos(queue, :head) = 1""";
  }

  @Override
  public String acknowledge() {
    return """
        UPDATE holdfast_sessions SET notices = replace(notices, :request || ';', '')
        WHERE id = :session AND strpos(notices, :request || ';') > 0""";
  }

  @Override
  public String queues() {
    return """
        SELECT name, number, since, revoked, queue, {now} AS now FROM holdfast_locks
        WHERE name = ANY (ARRAY(SELECT decode(v, 'hex')
                                FROM json_array_elements_text(CAST(:names AS json)) v))""";
  }

  @Override
  public String sessions() {
    return """
        SELECT s.id, s.ttl, s.renewed, s.incarnation, n.max_clock_step AS step, {now} AS now
        FROM holdfast_namespace n
        LEFT JOIN holdfast_sessions s
          ON s.id = ANY (ARRAY(SELECT json_array_elements_text(CAST(:sessions AS json))))""";
  }

  @Override
  public String list() {
    return """
        SELECT l.name, l.number, l.since, l.revoked, l.queue, s.ttl, s.renewed, s.incarnation,
               n.max_clock_step AS step, {now} AS now
        FROM holdfast_namespace n
        CROSS JOIN holdfast_locks l
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
          number = CASE WHEN strpos(queue, ';') < length(queue)
                        THEN greatest({now}, number + 1) ELSE number END,
          since = {now}, revoked = 0, queue = substr(queue, strpos(queue, ';') + 1)
        WHERE name = ANY (ARRAY(SELECT decode(v, 'hex')
                                FROM json_array_elements_text(CAST(:names AS json)) v))
          AND queue <> ''
          AND NOT EXISTS (SELECT 1 FROM holdfast_sessions s WHERE s.id = substr(l.queue, 2, 32))""";
  }

  @Override
  public String raiseFloor() {
    return """
        UPDATE holdfast_namespace SET floor = :number WHERE floor < :number""";
  }

  /**
   * A grab that began before the floor was raised, and finds its record deleted, goes by the old
   * floor. So a record is only deleted when the clock has passed its number: what such a grab takes
   * is above it then, whatever floor it has seen.
   */
  @Override
  public String deleteFree() {
    return """
        DELETE FROM holdfast_locks
        WHERE name = ANY (ARRAY(SELECT decode(v, 'hex')
                                FROM json_array_elements_text(CAST(:names AS json)) v))
          AND queue = '' AND since <= {now} - :idle AND number < {now}
          AND number <= (SELECT floor FROM holdfast_namespace)""";
  }

  @Override
  public String deleteLapsed() {
    return """
        DELETE FROM holdfast_sessions WHERE id IN (
          SELECT id FROM holdfast_sessions
          WHERE renewed + ttl + (SELECT max_clock_step FROM holdfast_namespace) <= {now} - :idle
          LIMIT :most)""";
  }
}
