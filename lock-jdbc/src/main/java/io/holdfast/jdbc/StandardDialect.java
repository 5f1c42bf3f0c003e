package io.holdfast.jdbc;

import java.util.Collection;
import java.util.stream.Collectors;

/**
 * The statements of databases with {@code ON CONFLICT} and {@code RETURNING}. What such a database
 * spells in its own way stands in them in the spelling of others, or in braces, and is replaced
 * when they are {@linkplain #render rendered}: {@code {now}}, the clock; {@code {in names}} and
 * {@code {in sessions}}, whether a column is one of a list.
 *
 * <p>A statement that waited for a row sees what the row has become: its conditions and its new
 * values, the clock among them, are evaluated once more. What it reads of other tables it may see
 * as it was when the statement began. So nothing is decided by another table but what cannot be
 * undone: a session that is not there never comes back, and one that has been ended since is dealt
 * with like any other that dies after its grant. The floor is the one exception, see {@link
 * #deleteFree}.
 */
abstract class StandardDialect implements Dialect {

  private static final String DEFAULT_PREFIX = "holdfast_";

  /** Returns the expression for the clock, in microseconds, read when the row is locked. */
  abstract String now();

  /** Returns what stands for {@code = one of :names}, which are in hexadecimal digits. */
  abstract String inNames();

  /** Returns what stands for {@code = one of :sessions}. */
  abstract String inSessions();

  /** Returns a statement in the spelling of this database. */
  abstract String spell(String text);

  /** A JSON array: text functions would take a name's own bytes apart. */
  @Override
  public Object names(Collection<String> hex) {
    return json(hex);
  }

  @Override
  public Object sessions(Collection<String> ids) {
    return json(ids);
  }

  /** None of the texts needs escaping. */
  private static String json(Collection<String> texts) {
    return texts.stream().collect(Collectors.joining("\",\"", "[\"", "\"]"));
  }

  @Override
  public final String render(String text, String prefix) {
    return spell(
        text.replace("{now}", now())
            .replace("{in names}", inNames())
            .replace("{in sessions}", inSessions())
            .replace(DEFAULT_PREFIX, prefix));
  }

  @Override
  public Answers answers() {
    return new RowAnswers(this);
  }

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
  public String doubtful() {
    return """
        SELECT incarnation <> :incarnation OR renewed > {now} AS doubtful FROM holdfast_sessions
        WHERE id = :session""";
  }

  @Override
  public String restampSession() {
    return """
        UPDATE holdfast_sessions SET renewed = {now}, incarnation = :incarnation
        WHERE id = :session AND (incarnation <> :incarnation OR renewed > {now})""";
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
           OR (:join = 1 AND instr(l.queue, :mark) = 0
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
          queue = CASE WHEN instr(queue, ';') = length(queue) THEN :entry
                       ELSE substr(queue, instr(queue, ';') + 1) END
        WHERE name = :name AND number = :number AND instr(queue, :head) = 1
          AND EXISTS (SELECT 1 FROM holdfast_sessions m WHERE m.id = :session)
          AND (:guard = 0
               OR EXISTS (SELECT 1 FROM holdfast_namespace g WHERE g.guard_until <= {now}))
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
                          THEN greatest({now}, number + 1) ELSE number END,
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
        RETURNING coalesce((SELECT greatest(0, revoked + s.ttl + n.max_clock_step - {now})
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
                        THEN greatest({now}, number + 1) ELSE number END,
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
        WHERE name {in names}""";
  }

  @Override
  public String sessions() {
    return """
        SELECT s.id, s.ttl, s.renewed, s.incarnation, n.max_clock_step AS step, {now} AS now
        FROM holdfast_namespace n
        LEFT JOIN holdfast_sessions s
          ON s.id {in sessions}""";
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
          number = CASE WHEN instr(queue, ';') < length(queue)
                        THEN greatest({now}, number + 1) ELSE number END,
          since = {now}, revoked = 0, queue = substr(queue, instr(queue, ';') + 1)
        WHERE name {in names}
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
        WHERE name {in names}
          AND queue = '' AND since <= {now} - :idle AND number < {now}
          AND number <= (SELECT floor FROM holdfast_namespace)""";
  }

  /**
   * Sessions of another incarnation are not given a new time here, as a waiter would: whoever was
   * able to renew has done so since, and machines that are switched off every night would keep them
   * for ever.
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
