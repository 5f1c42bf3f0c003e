package io.holdfast.jdbc.postgres.locks;

/** Parts that several statements on locks have in common, each under a name in square brackets. */
final class Fragments {

  private Fragments() {}

  private static final String SESSION_LIVES =
      """
      EXISTS (SELECT 1 FROM {sessions} m WHERE m.id = :session AND m.opened_in = {data incarnation})""";

  private static final String GUARD_IS_OVER =
      """
      (:guard = 0 OR n.guard_until = 0 OR n.guard_until <= {now})""";

  private static final String IS_FREE = "(l.holder = '' AND l.run = 0)";

  /**
   * Positions of those who have left count towards {@code tail - head}, too; only when it is at the
   * limit are the waiters counted.
   */
  private static final String HAS_ROOM =
      """
      (l.tail - l.head < :waiters
       OR (SELECT count(*) FROM (SELECT 1 FROM {queue} c WHERE c.name = l.name AND c.pos > l.head
                                 LIMIT :waiters) c) < :waiters)""";

  /** {@code head} is {@code tail} where certainly no request waits. */
  private static final String SOMEBODY_WAITS =
      """
      (l.tail > l.head
       AND EXISTS (SELECT 1 FROM {queue} c WHERE c.name = l.name AND c.pos > l.head))""";

  private static final String NO_STAY =
      """
      lock_delay = 0, stay = '', stay_from = 0, stay_for = 0, stay_in = ''""";

  /** Makes the record of a lock that has none, with the request as its holder. */
  private static final String NEW_RECORD =
      """
      INSERT INTO {locks} AS l
        (name, number, since, given_in, mode, holder, process, why, payload, lock_delay)
      SELECT :name, greatest({now}, n.floor + 1), {now}, n.life, :mode, :request, :process, :why,
             :payload, :delay
      FROM {namespace} n
      WHERE [session lives] AND [guard is over] AND {durably}""";

  /**
   * The facts about the waiters of the lock {@code s} that a step needs which changes the holders:
   * {@code w}, the first waiter but the one that leaves; {@code x}, the first exclusive one behind
   * it; and how many {@code readers} are let in. Only where the run is {@code opened} are those
   * looked for.
   */
  private static final String WAITERS =
      """
      LEFT JOIN LATERAL (
        SELECT q.pos, q.request, q.mode, q.process, q.why, q.payload, q.lock_delay FROM {queue} q
        WHERE s.tail > s.head AND q.name = s.name AND q.pos > s.head AND q.request <> :leaver
        ORDER BY q.pos LIMIT 1) w ON true
      LEFT JOIN LATERAL (
        SELECT q.pos FROM {queue} q
        WHERE e.opened AND w.mode = 's' AND q.name = s.name AND q.pos > w.pos AND q.mode = 'x'
          AND q.request <> :leaver
        ORDER BY q.pos LIMIT 1) x ON true
      LEFT JOIN LATERAL (
        SELECT count(*) AS readers FROM {queue} q
        WHERE e.opened AND w.mode = 's' AND q.name = s.name AND q.pos >= w.pos
          AND q.pos < coalesce(x.pos, s.tail + 1) AND q.request <> :leaver) c ON true""";

  /** The last position that does not wait any more. */
  private static final String NEW_HEAD =
      """
      CASE WHEN s.first IS NULL THEN l.tail
           WHEN s.opened AND s.first_mode = 's' THEN coalesce(s.writer - 1, l.tail)
           WHEN s.ends THEN s.first
           ELSE l.head END""";

  /**
   * No step came between what was read and the locking of the row: then it is as it was read, but
   * for those who have joined since. They do not matter if an exclusive request waits ahead of
   * them; else they may also have joined a run.
   */
  private static final String NOTHING_CAME_BETWEEN =
      """
      l.version = s.version
      AND (s.first_mode = 'x' OR s.writer IS NOT NULL OR l.tail = s.tail)""";

  /** Tells the session of a request that it may be its turn. */
  private static final String TELL =
      "pg_notify('%s' || left(t.request, 32), encode(:name, 'hex'))"
          .formatted(PostgresLocks.CHANNEL);

  /** Those in the queue whom a step has {@code changed} into holders of a run. */
  private static final String LET_IN =
      """
      SELECT q.request FROM {queue} q
      WHERE q.name = :name AND (SELECT mode FROM changed) = 's'
        AND q.pos > (SELECT before FROM changed) AND q.pos <= (SELECT head FROM changed)""";

  /**
   * The holders of the lock {@code l}, in the order in which they came: the one in its row, and all
   * entries of its queue up to {@code head}.
   */
  private static final String HOLDERS =
      """
      SELECT 0 AS pos, false AS waits, l.since, l.holder AS request, l.mode, l.process, l.why,
             l.payload, l.lock_delay, l.stay, l.stay_from, l.stay_for, l.stay_in
      WHERE l.holder <> ''
      UNION ALL
      (SELECT q.pos, false, greatest(q.since, l.since), q.request, q.mode, q.process, q.why,
              q.payload, q.lock_delay, q.stay, q.stay_from, q.stay_for, q.stay_in
       FROM {queue} q
       WHERE l.run > 0 AND q.name = l.name AND q.pos <= l.head
       ORDER BY q.pos LIMIT [limit])""";

  /** The entry {@code a} with its session {@code s}, and the clock, for {@link Judged}. */
  private static final String JUDGED =
      """
      a.request, a.lock_delay, a.stay, a.stay_from, a.stay_for,
      {comparable a.stay_in} AS stay_comparable,
      s.ttl, s.renewed, {comparable s.incarnation} AS comparable, n.max_clock_step AS step,
      {now} AS now""";

  /** The lock {@code l} and {@link #JUDGED its judgement of an entry}, for {@link EntryRow}. */
  private static final String ENTRY =
      """
      l.name, l.number, a.pos, a.waits, a.since, a.mode, a.process, a.why, a.payload,
      """
          + JUDGED;

  private static final String ITS_SESSION =
      """
      LEFT JOIN {sessions} s ON s.id = left(a.request, 32) AND s.opened_in = {data incarnation}""";

  /** Stands before the request of a tombstone, which so is found by no step of its client. */
  static final String TOMBSTONE = "~";

  /** Returns the condition that a column before it names a request, or its tombstone. */
  static String orTombstone(String request) {
    return "IN (%1$s, '%2$s' || %1$s)".formatted(request, TOMBSTONE);
  }

  /** Returns a statement with its parts filled in. */
  static String in(String text) {
    return text.replace("[new record]", NEW_RECORD)
        .replace("[session lives]", SESSION_LIVES)
        .replace("[guard is over]", GUARD_IS_OVER)
        .replace("[is free]", IS_FREE)
        .replace("[has room]", HAS_ROOM)
        .replace("[somebody waits]", SOMEBODY_WAITS)
        .replace("[no stay]", NO_STAY)
        .replace("[waiters]", WAITERS)
        .replace("[new head]", NEW_HEAD)
        .replace("[nothing came between]", NOTHING_CAME_BETWEEN)
        .replace("[tell]", TELL)
        .replace("[let in]", LET_IN)
        .replace("[holders]", HOLDERS)
        .replace("[entry]", ENTRY)
        .replace("[judged]", JUDGED)
        .replace("[its session]", ITS_SESSION);
  }
}
