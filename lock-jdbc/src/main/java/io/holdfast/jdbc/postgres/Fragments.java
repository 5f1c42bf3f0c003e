package io.holdfast.jdbc.postgres;

/** Parts that several statements on locks have in common, each under a name in square brackets. */
final class Fragments {

  private Fragments() {}

  private static final String SESSION_LIVES =
      """
      EXISTS (SELECT 1 FROM {sessions} m WHERE m.id = :session AND m.opened_in = {data incarnation})""";

  private static final String GUARD_IS_OVER =
      """
      (:guard = 0 OR n.guard_until = 0 OR n.guard_until <= {now})""";

  /**
   * Positions of those who have left count towards {@code tail - head}, too; only when it is at the
   * limit are the waiters counted.
   */
  private static final String HAS_ROOM =
      """
      (l.tail - l.head < :waiters
       OR (SELECT count(*) FROM (SELECT 1 FROM {queue} c WHERE c.name = l.name AND c.pos > l.head
                                 LIMIT :waiters) c) < :waiters)""";

  /** {@code head} is {@code tail} where certainly nobody waits. */
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
      INSERT INTO {locks} AS l (name, number, since, given_in, mode, holder, process, why, payload)
      SELECT :name, greatest({now}, n.floor + 1), {now}, n.life, :mode, :request, :process, :why, :payload
      FROM {namespace} n
      WHERE [session lives] AND [guard is over] AND {durably}""";

  /** The first waiter {@code w} of the lock {@code s}, if there is one. */
  private static final String FIRST_WAITER =
      """
      LEFT JOIN LATERAL (
        SELECT q.pos, q.request, q.mode, q.process, q.why, q.payload FROM {queue} q
        WHERE s.tail > s.head AND q.name = s.name AND q.pos > s.head
        ORDER BY q.pos LIMIT 1) w ON true""";

  /** The first waiter but the request itself, which may be leaving the front. */
  private static final String FIRST_OTHER_WAITER =
      FIRST_WAITER.replace("q.pos > s.head", "q.pos > s.head AND q.request <> :request");

  /**
   * No step came between: then the first waiter seen is still the first, and if none was seen, none
   * has joined since.
   */
  private static final String NOTHING_CAME_BETWEEN =
      """
      l.version = s.version AND (s.pos IS NOT NULL OR l.tail = s.tail)""";

  /** Tells the session of the new holder that it may be its turn. */
  private static final String TELL_HOLDER =
      "pg_notify('%s' || left(l.holder, 32), encode(l.name, 'hex'))"
          .formatted(PostgresDialect.CHANNEL);

  /** The lock {@code l}, its holder's session {@code s}, and the clock, for {@link HolderRow}. */
  private static final String HOLDER =
      """
      l.name, l.number, l.since, l.holder, l.mode, l.process, l.why, l.payload, l.stay, l.stay_from,
      {comparable l.stay_in} AS stay_comparable, s.ttl, s.renewed,
      {comparable s.incarnation} AS comparable, n.max_clock_step AS step, {now} AS now""";

  private static final String HOLDERS_SESSION =
      """
      LEFT JOIN {sessions} s ON s.id = left(l.holder, 32) AND s.opened_in = {data incarnation}""";

  /** Returns a statement with its parts filled in. */
  static String in(String text) {
    return text.replace("[new record]", NEW_RECORD)
        .replace("[session lives]", SESSION_LIVES)
        .replace("[guard is over]", GUARD_IS_OVER)
        .replace("[has room]", HAS_ROOM)
        .replace("[somebody waits]", SOMEBODY_WAITS)
        .replace("[no stay]", NO_STAY)
        .replace("[first waiter]", FIRST_WAITER)
        .replace("[first other waiter]", FIRST_OTHER_WAITER)
        .replace("[nothing came between]", NOTHING_CAME_BETWEEN)
        .replace("[tell holder]", TELL_HOLDER)
        .replace("[holder]", HOLDER)
        .replace("[holder's session]", HOLDERS_SESSION);
  }
}
