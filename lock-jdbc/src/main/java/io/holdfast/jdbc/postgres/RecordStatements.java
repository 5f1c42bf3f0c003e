package io.holdfast.jdbc.postgres;

/** The statements that read locks, and delete the records of free ones. */
final class RecordStatements {

  private RecordStatements() {}

  /** The waiters of the lock {@code l} in line, one array for each of their texts. */
  private static final String WAITERS =
      """
      ARRAY(SELECT q.request FROM {queue} q WHERE q.name = l.name AND q.pos > l.head ORDER BY q.pos)
        AS waiting,
      ARRAY(SELECT q.mode FROM {queue} q WHERE q.name = l.name AND q.pos > l.head ORDER BY q.pos)
        AS modes,
      ARRAY(SELECT q.process FROM {queue} q WHERE q.name = l.name AND q.pos > l.head ORDER BY q.pos)
        AS processes,
      ARRAY(SELECT q.why FROM {queue} q WHERE q.name = l.name AND q.pos > l.head ORDER BY q.pos)
        AS whys""";

  /**
   * How a request stands: the lock with its holder, all NULL if there is no record; {@code mine},
   * whether its session lives; {@code queued}; {@code waited}, whether anybody waits; {@code full};
   * {@code guard}, until when the restart guard lasts, and {@code guard_max}, until when one would
   * that began now.
   */
  static final String STANDING =
      Fragments.in(
          """
          SELECT [holder], [session lives] AS mine,
                 EXISTS (SELECT 1 FROM {queue} q WHERE q.request = :request) AS queued,
                 [somebody waits] AS waited, NOT [has room] AS "full",
                 n.guard_until AS guard, {now} + n.max_ttl + n.max_clock_step AS guard_max
          FROM {namespace} n
          LEFT JOIN {locks} l ON l.name = :name
          [holder's session]""");

  /** One lock with its holder and its waiters; no row if there is no record. */
  static final String INSPECT =
      Fragments.in(
              """
              SELECT [holder], [waiters]
              FROM {namespace} n
              JOIN {locks} l ON l.name = :name
              [holder's session]""")
          .replace("[waiters]", WAITERS);

  /** Held locks from {@code :low} to below {@code :high}. */
  static final String LIST =
      Fragments.in(
              """
              SELECT [holder], [waiters]
              FROM {namespace} n
              CROSS JOIN {locks} l
              [holder's session]
              WHERE l.name >= :low AND l.name < :high AND l.holder <> ''
              ORDER BY l.name LIMIT :limit""")
          .replace("[waiters]", WAITERS);

  /**
   * Records without a live holder, idle for {@code :idle} and, if free, with a number below the
   * clock; or idle since the future.
   */
  static final String IDLE =
      """
      SELECT l.name, l.number, l.holder, l.since > {now} AS ahead FROM {locks} l
      WHERE (l.since > {now}
             OR (l.since <= {now} - :idle AND (l.holder <> '' OR l.number < {now})))
        AND l.run = 0
        AND NOT EXISTS (SELECT 1 FROM {sessions} s WHERE s.id = left(l.holder, 32))
      LIMIT :limit""";

  /**
   * A grab that began before the floor was raised, and finds its record deleted, goes by the old
   * floor. So a record is only deleted when the clock has passed its number: what such a grab takes
   * is above it then, whatever floor it has seen. Nobody waits for a lock that is free.
   */
  static final String DELETE_FREE =
      """
      DELETE FROM {locks}
      WHERE name {in names} AND holder = '' AND run = 0 AND head = tail
        AND since <= {now} - :idle AND number < {now}
        AND number <= (SELECT floor FROM {namespace})""";
}
