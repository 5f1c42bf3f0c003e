package io.holdfast.jdbc.postgres.locks;

/** The statements that read locks, and delete the records of free ones. */
final class RecordStatements {

  private RecordStatements() {}

  /**
   * How a request stands, one row for each holder of the lock, of which some are left out if they
   * are many, or one if it is free: {@code holds} and {@code queued}; {@code granted}, since when
   * it holds; {@code lives}, whether its session does; {@code waited}, whether any request waits;
   * {@code full}; {@code guard}, until when the restart guard lasts, and {@code guard_max}, until
   * when one would that began now.
   */
  static final String STANDING =
      Fragments.in(
              """
              SELECT [entry], [session lives] AS lives,
                     l.holder = :request OR coalesce(mine.pos <= l.head, false) AS holds,
                     coalesce(mine.pos > l.head, false) AS queued, l.mode AS held_as,
                     greatest(l.since, CASE WHEN mine.pos <= l.head THEN mine.since END) AS granted,
                     [somebody waits] AS waited, NOT [has room] AS "full",
                     n.guard_until AS guard, {now} + n.max_ttl + n.max_clock_step AS guard_max
              FROM {namespace} n
              LEFT JOIN {locks} l ON l.name = :name
              LEFT JOIN LATERAL (
                SELECT q.name, q.pos, q.since FROM {queue} q WHERE q.request = :request LIMIT 1)
                mine ON mine.name = l.name
              LEFT JOIN LATERAL ([holders]) a ON true
              [its session]
              ORDER BY a.pos""")
          .replace("[limit]", String.valueOf(PostgresLocks.HOLDERS_MAX));

  /** The holders and waiters of the lock {@code l}, each in line. */
  private static final String ALL =
      """
      LEFT JOIN LATERAL (
        SELECT 0 AS pos, false AS waits, l.since, l.holder AS request, l.mode, l.process, l.why,
               l.payload, l.lock_delay, l.stay, l.stay_from, l.stay_for, l.stay_in
        WHERE l.holder <> ''
        UNION ALL
        SELECT q.pos, q.pos > l.head, greatest(q.since, l.since), q.request, q.mode, q.process,
               q.why, q.payload, q.lock_delay, q.stay, q.stay_from, q.stay_for, q.stay_in
        FROM {queue} q
        WHERE q.name = l.name AND q.pos > CASE WHEN l.run > 0 THEN 0 ELSE l.head END) a ON true""";

  /** The columns of an entry {@code q} that waits. */
  private static final String WAITER =
      """
      q.pos, true AS waits, greatest(q.since, l.since) AS since, q.request, q.mode, q.process,
      q.why, q.payload, q.lock_delay, q.stay, q.stay_from, q.stay_for, q.stay_in""";

  /**
   * One lock with a row for each of its holders and for the first {@code :waiters} of those who
   * wait, how many are {@code waiting}, and how many {@code changes} there were under its number;
   * no row if there is no record.
   */
  static final String INSPECT =
      Fragments.in(
              """
              SELECT [entry],
                     (SELECT count(*) FROM {queue} c WHERE c.name = l.name AND c.pos > l.head)
                       AS waiting,
                     l.version + l.tail AS changes
              FROM {namespace} n
              JOIN {locks} l ON l.name = :name
              LEFT JOIN LATERAL (
                [holders]
                UNION ALL
                (SELECT [waiter] FROM {queue} q
                 WHERE q.name = l.name AND q.pos > l.head
                 ORDER BY q.pos LIMIT :waiters)) a ON true
              [its session]
              ORDER BY a.pos""")
          .replace("[waiter]", WAITER)
          .replace("[limit]", "ALL");

  /**
   * A row for each of {@code :limit} entries that wait behind {@code :request}, or one without an
   * entry if there is none; no row if that does not wait.
   */
  static final String BEHIND =
      Fragments.in(
              """
              SELECT [entry], 0 AS waiting
              FROM {namespace} n
              JOIN {locks} l ON l.name = :name
              JOIN {queue} f ON f.request = :request AND f.name = l.name AND f.pos > l.head
              LEFT JOIN LATERAL (
                SELECT [waiter] FROM {queue} q
                WHERE q.name = l.name AND q.pos > f.pos
                ORDER BY q.pos LIMIT :limit) a ON true
              [its session]
              ORDER BY a.pos""")
          .replace("[waiter]", WAITER);

  /**
   * Held locks from {@code :low} to below {@code :high}, each with all that hold it and wait for
   * it.
   */
  static final String LIST =
      Fragments.in(
              """
              SELECT [entry], 0 AS waiting
              FROM {namespace} n
              CROSS JOIN (
                SELECT * FROM {locks} h
                WHERE h.name >= :low AND h.name < :high AND (h.holder <> '' OR h.run > 0)
                ORDER BY h.name LIMIT :limit) l
              [all]
              [its session]
              ORDER BY l.name, a.pos""")
          .replace("[all]", ALL);

  /**
   * Columns {@code name, request} of all entries of {@code :session}. One statement, and so one
   * state of both tables: an entry leaves the queue for the lock's row when it comes to hold.
   */
  static final String OF_SESSION =
      """
      SELECT l.name, l.holder AS request FROM {locks} l WHERE left(l.holder, 32) = :session
      UNION ALL
      SELECT q.name, q.request FROM {queue} q WHERE left(q.request, 32) = :session""";

  /** Records of locks that no living session holds, and that have been so for long enough. */
  private static final String IS_IDLE =
      """
      NOT EXISTS (SELECT 1 FROM {sessions} s WHERE s.id = left(l.holder, 32))
      AND (l.run = 0
           OR NOT EXISTS (SELECT 1 FROM {queue} q JOIN {sessions} s ON s.id = left(q.request, 32)
                          WHERE q.name = l.name AND q.pos <= l.head))""";

  /** Records idle since the future: column {@code name}. */
  static final String AHEAD =
      """
      SELECT l.name FROM {locks} l WHERE l.since > {now} AND [idle] LIMIT :limit"""
          .replace("[idle]", IS_IDLE);

  /** Free records idle for {@code :idle}, with a number as old: {@code name, number}. */
  static final String FREE =
      """
      SELECT l.name, l.number FROM {locks} l
      WHERE l.holder = '' AND l.run = 0 AND l.since <= {now} - :idle
        AND l.number < {now} - :idle
      LIMIT :limit""";

  /**
   * Holders of records idle for {@code :idle}, without those that certainly stay: columns {@code
   * name, number, request}.
   */
  static final String ORPHANS =
      """
      SELECT l.name, l.number, ltrim(e.request, '[tombstone]') AS request FROM {locks} l
      CROSS JOIN LATERAL (
        SELECT l.holder AS request, l.stay, l.stay_from, l.stay_for, l.stay_in
        WHERE l.holder <> ''
        UNION ALL
        SELECT q.request, q.stay, q.stay_from, q.stay_for, q.stay_in FROM {queue} q
        WHERE l.run > 0 AND q.name = l.name AND q.pos <= l.head) e
      WHERE l.since <= {now} - :idle AND (l.holder <> '' OR l.run > 0) AND [idle]
        AND NOT (e.stay IN ('lock-delay', 'at-least') AND {comparable e.stay_in}
                 AND e.stay_from <= {now} AND e.stay_from + e.stay_for > {now})
      LIMIT :limit"""
          .replace("[tombstone]", Fragments.TOMBSTONE)
          .replace("[idle]", IS_IDLE);

  /**
   * A grab that began before the floor was raised, and finds its record deleted, goes by the old
   * floor, and by the clock as it was when it began. So a record is only deleted when the clock has
   * long passed its number: a number that such a grab takes is above it then, by any floor that it
   * has seen. No request waits for a lock that is free.
   */
  static final String DELETE_FREE =
      """
      DELETE FROM {locks}
      WHERE name {in names} AND holder = '' AND run = 0 AND head = tail
        AND since <= {now} - :idle AND number < {now} - :idle
        AND number <= (SELECT floor FROM {namespace})""";
}
