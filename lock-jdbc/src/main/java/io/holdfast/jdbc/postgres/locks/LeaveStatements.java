package io.holdfast.jdbc.postgres.locks;

/**
 * The statements that change who holds a lock. The first holder of a number lies in the lock's row,
 * until it leaves; all others, and those who wait, have an entry in {@code {queue}}. Up to {@code
 * head} they hold, in a run of shared requests, behind it they wait; {@code run} is how many of
 * them hold. So no step costs more the more of them wait. A lock is free if its row names no holder
 * and {@code run} is 0; then no request waits.
 *
 * <p>A request that joins takes {@code tail + 1}; no position is given twice while the lock is
 * held. {@code version} is raised by every change but a joining, {@code tail} by that alone. So a
 * statement whose decision is made from a snapshot compares them with the row that it has really
 * locked, and if a step came between, it changes nothing and is repeated. Nothing is decided by
 * {@code {queue}} alone: a read of it may be older than the lock's row. {@code READ COMMITTED}
 * makes the locked row the present one.
 *
 * <p>While a shared run of this incarnation holds, {@code head} is {@code tail} unless an exclusive
 * request waits. A run whose number was given in an earlier incarnation takes no request in: it
 * ends.
 *
 * <p>A row of {@code {queue}} is deleted by its position, which a scalar subquery gives, each by a
 * statement part of its own: otherwise the planner goes through all positions of the lock, those of
 * the dead rows included. A request's own entry is looked up by the request alone for that reason.
 */
final class LeaveStatements {

  private LeaveStatements() {}

  /**
   * Takes the holder out of the lock's row where nothing else follows from that: if others hold, or
   * if no request waits. Column {@code run}, how many still hold.
   */
  static final String LEAVE =
      Fragments.in(
          """
          UPDATE {locks} SET
            holder = '', process = '', why = '', payload = '', [no stay],
            since = CASE WHEN run = 0 THEN {now} ELSE since END, version = version + 1
          WHERE name = :name AND holder = :leaver AND (run > 0 OR head = tail) AND {durably}
          RETURNING run""");

  /**
   * Takes {@code :leaver} away, wherever it stands. If no request holds then, the first waiter
   * does, or else the newcomer if there is one. A run of this incarnation, new or old, takes in all
   * shared requests that wait before the first exclusive one; so it also does when that leaves.
   *
   * <p>Column {@code told}: the {@link io.holdfast.spi.answer.Released outcome}, or that the
   * newcomer has taken the lock, or that a step came between; {@code number} and {@code since} of
   * the lock. No row if it is not there. When the last waiter leaves, {@code head} is {@code tail}
   * again, so that a holder can {@linkplain #LEAVE leave} in the short way. No notification is sent
   * where no request follows: it would wait for every other notification.
   */
  private static String removal(String isTheLeaver, String which, String newcomer) {
    return Fragments.in(
        """
        WITH seen AS (
          SELECT s.version, s.head, s.tail, n.life, me.pos AS mine, e.held, e.ends, e.opened,
                 s.run - e.places + c.readers
                   - CASE WHEN e.ends AND c.readers > 0 THEN 1 ELSE 0 END AS run,
                 w.pos AS first, w.mode AS first_mode, x.pos AS writer, f.*
          FROM {locks} s
          CROSS JOIN {namespace} n
          LEFT JOIN {queue} me ON me.request [is the leaver]
          CROSS JOIN LATERAL (
            SELECT CASE WHEN me.pos <= s.head THEN 1 ELSE 0 END AS places) p
          CROSS JOIN LATERAL (
            SELECT p.places, s.holder [is the leaver] OR p.places = 1 AS held,
                   (s.holder = '' OR s.holder [is the leaver]) AND s.run = p.places AS ends) h
          CROSS JOIN LATERAL (
            SELECT h.*, h.ends OR s.mode = 's' AND s.given_in = n.life AS opened) e
          [waiters]
          CROSS JOIN LATERAL (
            SELECT w.request, w.mode, w.process, w.why, w.payload, w.lock_delay
            WHERE w.pos IS NOT NULL
            UNION ALL
            SELECT [newcomer] WHERE w.pos IS NULL) f
          WHERE s.name = :name AND {durably} AND [which]),
        changed AS (
          UPDATE {locks} l SET
            (number, since, given_in, mode, holder, process, why, payload,
             lock_delay, stay, stay_from, stay_for, stay_in) = (
              SELECT greatest({now}, l.number + 1), {now}, s.life, s.mode, s.request, s.process,
                     s.why, s.payload, s.lock_delay, '', 0, 0, ''
              WHERE s.ends AND s.request <> ''
              UNION ALL
              SELECT l.number, CASE WHEN s.ends THEN {now} ELSE l.since END, l.given_in, l.mode,
                     '', '', '', '', 0, '', 0, 0, ''
              WHERE s.ends AND s.request = '' OR NOT s.ends AND l.holder [is the leaver]
              UNION ALL
              SELECT l.number, l.since, l.given_in, l.mode, l.holder, l.process, l.why, l.payload,
                     l.lock_delay, l.stay, l.stay_from, l.stay_for, l.stay_in
              WHERE NOT s.ends AND NOT l.holder [is the leaver]),
            head = [new head], run = s.run, version = l.version + 1
          FROM seen s
          WHERE l.name = :name AND [nothing came between]
          RETURNING l.number, l.since, l.mode, l.holder, s.held, s.ends, s.mine,
                    CASE WHEN s.ends THEN s.first END AS taken, s.head AS before, l.head),
        gone AS (
          DELETE FROM {queue} WHERE name = :name AND pos = (SELECT mine FROM changed)),
        moved AS (
          DELETE FROM {queue} WHERE name = :name AND pos = (SELECT taken FROM changed)),
        told AS (
          SELECT count([tell])
          FROM (SELECT holder AS request FROM changed WHERE taken IS NOT NULL
                UNION ALL
                [let in] AND q.pos IS DISTINCT FROM (SELECT taken FROM changed)
                         AND q.request <> :leaver) t)
        SELECT CASE WHEN c.number IS NULL THEN 'CAME_BETWEEN'
                    WHEN NOT c.held THEN 'WAS_WAITING' WHEN NOT c.ends THEN 'SHARED'
                    WHEN c.holder = '' THEN 'FREED' WHEN c.taken IS NULL THEN 'TAKEN'
                    ELSE 'HANDED_ON' END AS told, c.number, c.since, (SELECT * FROM told)
        FROM seen LEFT JOIN changed c ON true"""
            .replace("[which]", which)
            .replace("[newcomer]", newcomer)
            .replace("[is the leaver]", isTheLeaver));
  }

  private static final String NO_NEWCOMER = "'', '', '', '', '', 0";

  /** Removes a request that holds or waits, as its client wishes: not its tombstone. */
  static final String RELEASE =
      removal("= :leaver", "(s.holder = :leaver OR me.name = s.name)", NO_NEWCOMER);

  private static final String OBSERVED =
      """
      :number IN (0, s.number)
      AND (s.holder [is the leaver] OR me.name = s.name AND me.pos <= s.head)""";

  private static String removalOfObserved(String which, String newcomer) {
    return removal(Fragments.orTombstone(":leaver"), OBSERVED + " AND " + which, newcomer);
  }

  /** Removes the observed holder, by any number that it holds if {@code :number} is 0. */
  static final String EVICT = removalOfObserved("true", NO_NEWCOMER);

  /**
   * Whether the holder may be removed by others: its stay is over, or its session is not there and
   * it does not stay. One with a lock-delay is not removed yet when its session is not there: first
   * its {@linkplain StayStatements#BEGIN_DELAY delay begins}. The facts that this goes by cannot
   * change without a new version but for sessions and stays, which end for good.
   */
  private static final String COUNTS_NO_MORE =
      """
      EXISTS (
        SELECT 1
        FROM (SELECT s.holder AS request, s.stay, s.stay_from, s.stay_for, s.stay_in, s.lock_delay
              WHERE s.holder [is the leaver]
              UNION ALL
              SELECT me.request, me.stay, me.stay_from, me.stay_for, me.stay_in, me.lock_delay
              WHERE e.places = 1) y
        WHERE CASE WHEN y.stay <> '' AND {comparable y.stay_in} AND y.stay_from <= {now}
                        AND y.stay_from + y.stay_for <= {now}
                   THEN y.lock_delay = 0 OR NOT [is gone]
                   ELSE y.lock_delay = 0 AND y.stay IN ('', 'revoked') AND [is gone] END)"""
          .replace(
              "[is gone]",
              """
              NOT EXISTS (SELECT 1 FROM {sessions} m
                          WHERE m.id = left(y.request, 32) AND m.opened_in = {data incarnation})""");

  /** Removes the observed holder if it may be. */
  static final String REMOVE_DEAD = removalOfObserved(COUNTS_NO_MORE, NO_NEWCOMER);

  /**
   * Removes the observed holder if it may be, not during the restart guard if {@code :guard} is 1.
   */
  static final String OVERTAKE =
      removalOfObserved(
          COUNTS_NO_MORE + " AND [session lives] AND [guard is over]",
          ":request, :mode, :process, :why, :payload, :delay");

  /**
   * Makes an exclusive holder the first of a run, which has a number of its own and takes in the
   * shared requests that wait before the first exclusive one: column {@code number}, 0 if a step
   * came between; no row if it is no exclusive holder.
   */
  static final String DOWNGRADE =
      Fragments.in(
          """
          WITH seen AS (
            SELECT s.version, s.head, s.tail, n.life, e.*, c.readers,
                   w.pos AS first, w.mode AS first_mode, x.pos AS writer
            FROM {locks} s
            CROSS JOIN {namespace} n
            CROSS JOIN (SELECT false AS ends, true AS opened) e
            [waiters]
            WHERE s.name = :name AND s.holder = :leaver AND s.mode = 'x' AND {durably}),
          changed AS (
            UPDATE {locks} l SET
              number = greatest({now}, l.number + 1), since = {now}, given_in = s.life, mode = 's',
              head = [new head], run = s.readers, version = l.version + 1
            FROM seen s
            WHERE l.name = :name AND [nothing came between]
            RETURNING l.number, l.mode, s.head AS before, l.head),
          told AS (SELECT count([tell]) FROM ([let in]) t)
          SELECT coalesce(c.number, 0) AS number, (SELECT * FROM told)
          FROM seen LEFT JOIN changed c ON true""");
}
