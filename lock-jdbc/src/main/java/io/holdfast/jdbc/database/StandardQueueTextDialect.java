package io.holdfast.jdbc.database;

/** The statements of such databases on queues that are texts. */
public abstract class StandardQueueTextDialect extends StandardDialect implements QueueTextDialect {

  /**
   * The clock once more where the row was there: what stands in {@code excluded} was read before
   * the wait for it.
   */
  @Override
  public String grab() {
    return """
        INSERT INTO {locks} AS l (name, number, since, revoked, was_head, queue)
        SELECT :name, greatest({now}, n.floor + 1), {now}, 0, false, :entry
        FROM {namespace} n
        WHERE EXISTS (SELECT 1 FROM {sessions} s WHERE s.id = :session AND s.opened_in = {data incarnation})
          AND (:guard = 0 OR n.guard_until = 0 OR n.guard_until <= {now}) AND {durably}
        ON CONFLICT (name) DO UPDATE SET
          number = CASE WHEN l.queue = '' THEN greatest({now}, excluded.number, l.number + 1)
                        ELSE l.number END,
          since  = CASE WHEN l.queue = '' THEN {now} ELSE l.since END,
          queue  = l.queue || excluded.queue
        WHERE l.queue = ''
           OR (:join = 1 AND instr(l.queue, :mark) = 0
               AND length(l.queue) + length(excluded.queue) <= :cap
               AND length(l.queue) - length(replace(l.queue, ';', '')) <= :waiters)
        RETURNING CASE WHEN queue = :entry THEN number ELSE 0 END AS granted, since""";
  }

  @Override
  public String standing() {
    return """
        SELECT EXISTS (SELECT 1 FROM {sessions} m
                       WHERE m.id = :session AND m.opened_in = {data incarnation}) AS mine,
               l.name, l.number, l.since, {counted l.revoked} AS revoked, l.queue,
               s.ttl, s.renewed, {comparable s.incarnation} AS comparable,
               n.max_clock_step AS step, n.guard_until AS guard,
               {now} + n.max_ttl + n.max_clock_step AS guard_max, {now} AS now
        FROM {namespace} n
        LEFT JOIN {locks} l ON l.name = :name
        LEFT JOIN {sessions} s ON s.id = substr(l.queue, 2, 32) AND s.opened_in = {data incarnation}""";
  }

  @Override
  public String overtake() {
    return """
        UPDATE {locks} AS l SET
          number = greatest({now}, number + 1), since = {now}, revoked = 0,
          queue = CASE WHEN instr(queue, ';') = length(queue) THEN :entry
                       ELSE substr(queue, instr(queue, ';') + 1) END
        WHERE name = :name AND number = :number AND instr(queue, :head) = 1
          AND EXISTS (SELECT 1 FROM {sessions} m WHERE m.id = :session AND m.opened_in = {data incarnation})
          AND {durably}
          AND (:guard = 0
               OR EXISTS (SELECT 1 FROM {namespace} g WHERE g.guard_until <= {now}))
          AND NOT EXISTS (
            SELECT 1 FROM {sessions} s, {namespace} n
            WHERE s.id = substr(l.queue, 2, 32) AND s.opened_in = {data incarnation}
              AND (l.revoked = 0 OR {counted l.revoked} + s.ttl + n.max_clock_step > {now}))
        RETURNING CASE WHEN instr(queue, :mark) = 1 THEN number ELSE 0 END AS granted, since""";
  }

  @Override
  public String release() {
    return """
        UPDATE {locks} SET
          number   = CASE WHEN instr(queue, :mark) = 1 AND instr(queue, ';') < length(queue)
                          THEN greatest({now}, number + 1) ELSE number END,
          since    = CASE WHEN instr(queue, :mark) = 1 THEN {now} ELSE since END,
          revoked  = CASE WHEN instr(queue, :mark) = 1 THEN 0 ELSE revoked END,
          was_head = instr(queue, :mark) = 1,
          queue    = CASE WHEN instr(queue, :mark) = 1 THEN substr(queue, instr(queue, ';') + 1)
                          ELSE substr(queue, 1, instr(queue, :mark) - 1)
                               || substr(queue, instr(queue, :mark)
                                                + instr(substr(queue, instr(queue, :mark)), ';'))
                     END
        WHERE name = :name AND instr(queue, :mark) > 0 AND {durably}
        RETURNING CASE WHEN NOT was_head THEN 1 WHEN queue = '' THEN 2 ELSE 3 END AS told""";
  }

  @Override
  public String notifyRevoked() {
    return """
        UPDATE {sessions} SET notices = notices || :notice
        WHERE id = :holder AND instr(notices, :notice) = 0
          AND EXISTS (SELECT 1 FROM {locks}
                      WHERE name = :name AND number = :number AND instr(queue, :head) = 1)""";
  }

  @Override
  public String markRevoked() {
    return """
        UPDATE {locks} SET
          revoked = CASE WHEN revoked BETWEEN 1 AND {now} THEN {counted revoked} ELSE {now} END
        WHERE name = :name AND number = :number AND instr(queue, :head) = 1
        RETURNING coalesce((SELECT greatest(0, revoked + s.ttl + n.max_clock_step - {now})
                            FROM {sessions} s, {namespace} n
                            WHERE s.id = :holder AND s.opened_in = {data incarnation}), 0) AS remaining""";
  }

  @Override
  public String restampRevoked() {
    return """
        UPDATE {locks} SET revoked = {now} WHERE name = :name AND revoked > {now}""";
  }

  @Override
  public String evict() {
    return """
        UPDATE {locks} SET
          number = CASE WHEN instr(queue, ';') < length(queue)
                        THEN greatest({now}, number + 1) ELSE number END,
          since = {now}, revoked = 0, queue = substr(queue, instr(queue, ';') + 1)
        WHERE name = :name AND number = :number AND instr(queue, :head) = 1 AND {durably}""";
  }

  @Override
  public String queues() {
    return """
        SELECT name, number, since, {counted revoked} AS revoked, queue, {now} AS now FROM {locks}
        WHERE name {in names}
          AND EXISTS (SELECT 1 FROM {sessions} m WHERE m.id = :session AND m.opened_in = {data incarnation})""";
  }

  @Override
  public String sessions() {
    return """
        SELECT s.id, s.ttl, s.renewed, {comparable s.incarnation} AS comparable,
               n.max_clock_step AS step, {now} AS now
        FROM {namespace} n
        LEFT JOIN {sessions} s
          ON s.id {in sessions} AND s.opened_in = {data incarnation}""";
  }

  @Override
  public String list() {
    return """
        SELECT l.name, l.number, l.since, {counted l.revoked} AS revoked, l.queue,
               s.ttl, s.renewed, {comparable s.incarnation} AS comparable,
               n.max_clock_step AS step, {now} AS now
        FROM {namespace} n
        CROSS JOIN {locks} l
        LEFT JOIN {sessions} s ON s.id = substr(l.queue, 2, 32) AND s.opened_in = {data incarnation}
        WHERE l.name >= :low AND l.name < :high AND l.queue <> ''
        ORDER BY l.name LIMIT :limit""";
  }

  @Override
  public String idleRecords() {
    return """
        SELECT name, number, queue = '' AS free, since > {now} AS ahead FROM {locks} l
        WHERE (since > {now} OR (since <= {now} - :idle AND (queue <> '' OR number < {now})))
          AND (queue = '' OR NOT EXISTS (SELECT 1 FROM {sessions} s
                                         WHERE s.id = substr(l.queue, 2, 32)))
        LIMIT :limit""";
  }

  @Override
  public String evictOrphans() {
    return """
        UPDATE {locks} AS l SET
          number = CASE WHEN instr(queue, ';') < length(queue)
                        THEN greatest({now}, number + 1) ELSE number END,
          since = {now}, revoked = 0, queue = substr(queue, instr(queue, ';') + 1)
        WHERE name {in names}
          AND queue <> ''
          AND NOT EXISTS (SELECT 1 FROM {sessions} s WHERE s.id = substr(l.queue, 2, 32))""";
  }

  /**
   * A grab that began before the floor was raised, and finds its record deleted, goes by the old
   * floor. So a record is only deleted when the clock has passed its number: what such a grab takes
   * is above it then, whatever floor it has seen.
   */
  @Override
  public String deleteFree() {
    return """
        DELETE FROM {locks}
        WHERE name {in names}
          AND queue = '' AND since <= {now} - :idle AND number < {now}
          AND number <= (SELECT floor FROM {namespace})""";
  }

  @Override
  public RowChanges changes() {
    return new ReturningChanges(this);
  }
}
