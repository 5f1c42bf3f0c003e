package io.holdfast.jdbc.postgres;

/**
 * The statements that change who holds a lock and who waits for it. The holder lies in the lock's
 * row, the waiters apart, so that no step costs more the more of them there are.
 *
 * <p>An entry of {@code {queue}} waits exactly if its row is there and {@code pos > head} of its
 * lock. Whoever joins takes {@code tail + 1}; no position is given twice while the lock is held.
 * {@code version} is raised by every change but a joining, {@code tail} by that alone: so a
 * statement whose decision is made from a snapshot compares them with the row that it has really
 * locked, and if a step came between, it changes nothing and is repeated. Nothing is decided by
 * {@code {queue}} alone: what is read of it may be older than the lock's row.
 *
 * <p>A row of {@code {queue}} is deleted by its position, which a scalar subquery gives: with a
 * join the planner goes through all positions of the lock, those of the dead rows included.
 */
final class QueueStatements {

  private QueueStatements() {}

  /**
   * Takes a free lock: columns {@code number, since}; no row if it is held. The clock once more
   * where the row was there: what stands in {@code excluded} was read before the wait for it.
   */
  static final String GRAB =
      Fragments.in(
          """
          [new record]
          ON CONFLICT (name) DO UPDATE SET
            number = greatest({now}, excluded.number, l.number + 1), since = {now},
            given_in = excluded.given_in, mode = excluded.mode, holder = excluded.holder,
            process = excluded.process, why = excluded.why, payload = excluded.payload,
            version = l.version + 1
          WHERE l.holder = '' AND l.run = 0
          RETURNING l.number, l.since""");

  /**
   * Takes a free lock, or else joins its queue unless it is in it or {@code :waiters} wait: columns
   * {@code number}, 0 if it waits, and {@code since}; no row if nothing was changed. First the
   * lock's row is locked, then the entry comes, both in one commit: whoever leaves sees either both
   * or another tail.
   */
  static final String JOIN =
      Fragments.in(
          """
          WITH asked AS (
            [new record]
            ON CONFLICT (name) DO UPDATE SET
              (number, since, given_in, mode, holder, process, why, payload, tail, version) = (
                SELECT greatest({now}, excluded.number, l.number + 1), {now}, excluded.given_in,
                       excluded.mode, excluded.holder, excluded.process, excluded.why,
                       excluded.payload, l.tail, l.version + 1
                WHERE l.holder = '' AND l.run = 0
                UNION ALL
                SELECT l.number, l.since, l.given_in, l.mode, l.holder, l.process, l.why,
                       l.payload, l.tail + 1, l.version
                WHERE NOT (l.holder = '' AND l.run = 0))
            WHERE (l.holder = '' AND l.run = 0)
               OR (l.holder <> :request
                   AND NOT EXISTS (SELECT 1 FROM {queue} q WHERE q.request = :request)
                   AND [has room])
            RETURNING l.number, l.since, l.holder, l.tail),
          joined AS (
            INSERT INTO {queue} (name, pos, request, mode, process, why, payload)
            SELECT :name, a.tail, :request, :mode, :process, :why, :payload
            FROM asked a WHERE a.holder <> :request)
          SELECT CASE WHEN holder = :request THEN number ELSE 0 END, since FROM asked""");

  /** Frees a lock for which nobody waits: a row if it did. */
  static final String FREE =
      Fragments.in(
          """
          UPDATE {locks} SET
            holder = '', process = '', why = '', payload = '', since = {now}, [no stay],
            version = version + 1
          WHERE name = :name AND holder = :request AND head = tail AND {durably}
          RETURNING number""");

  /**
   * Takes a request away, wherever it stands; if {@code :number} is not 0, only the holder with
   * this number. The first waiter becomes the holder if it held. Column {@code told}: 1 if it was
   * waiting, 2 if it has freed the lock, 3 if it has handed it on, 0 if a step came between; no row
   * if it is not there. When the last waiter leaves, {@code head} is {@code tail} again, so that
   * the lock can be {@linkplain #FREE freed} in the short way.
   *
   * <p>Its own entry is looked up by the request alone: with the name as well the planner may go
   * through all positions of the lock. Nobody is told if the lock is free: it would wait for every
   * other notification.
   */
  static final String REMOVE =
      Fragments.in(
          """
          WITH seen AS (
            SELECT s.version, s.tail, s.holder = :request AS held, me.pos AS mine, n.life, w.*
            FROM {locks} s
            CROSS JOIN {namespace} n
            LEFT JOIN {queue} me ON me.request = :request
            [first other waiter]
            WHERE s.name = :name AND {durably}
              AND (s.holder = :request AND :number IN (0, s.number)
                   OR me.name = s.name AND me.pos > s.head AND :number = 0)),
          handed AS (
            UPDATE {locks} l SET
              number = CASE WHEN s.pos IS NULL THEN l.number ELSE greatest({now}, l.number + 1) END,
              given_in = CASE WHEN s.pos IS NULL THEN l.given_in ELSE s.life END,
              since = {now}, mode = coalesce(s.mode, l.mode), holder = coalesce(s.request, ''),
              process = coalesce(s.process, ''), why = coalesce(s.why, ''),
              payload = coalesce(s.payload, ''), head = coalesce(s.pos, l.tail),
              version = l.version + 1, [no stay]
            FROM seen s
            WHERE l.name = :name AND s.held AND [nothing came between]
            RETURNING s.pos, l.holder, CASE WHEN l.holder <> '' THEN [tell holder] END),
          withdrawn AS (
            UPDATE {locks} l SET
              head = CASE WHEN s.pos IS NULL AND l.tail = s.tail THEN l.tail ELSE l.head END,
              version = l.version + 1
            FROM seen s
            WHERE l.name = :name AND NOT s.held AND l.version = s.version
            RETURNING s.mine),
          gone AS (
            DELETE FROM {queue}
            WHERE name = :name
              AND pos = (SELECT pos FROM handed UNION ALL SELECT mine FROM withdrawn))
          SELECT CASE WHEN w.mine IS NOT NULL THEN 1 WHEN h.holder = '' THEN 2
                      WHEN h.holder <> '' THEN 3 ELSE 0 END AS told
          FROM seen LEFT JOIN handed h ON true LEFT JOIN withdrawn w ON true""");

  /**
   * Lets the {@code :head} leave if its session is not there or its stay is over, and puts the
   * first waiter or else the request in its place; if {@code :guard} is 1 not during the restart
   * guard. Columns {@code number}, 0 if another has the lock and -1 if a step came between, and
   * {@code since}; no row if the observed head may not be overtaken. What it goes by cannot change
   * without a new version but for sessions and stays, which end for good.
   */
  static final String OVERTAKE =
      Fragments.in(
          """
          WITH seen AS (
            SELECT s.version, s.tail, n.life, w.*
            FROM {locks} s
            CROSS JOIN {namespace} n
            [first waiter]
            WHERE s.name = :name AND s.number = :number AND s.holder = :head AND {durably}
              AND [session lives] AND [guard is over]
              AND (NOT EXISTS (SELECT 1 FROM {sessions} h
                               WHERE h.id = left(s.holder, 32) AND h.opened_in = {data incarnation})
                   OR (s.stay <> '' AND {comparable s.stay_in} AND s.stay_from <= {now}
                       AND s.stay_from + s.stay_for <= {now}))),
          changed AS (
            UPDATE {locks} l SET
              number = greatest({now}, l.number + 1), since = {now}, given_in = s.life,
              mode = coalesce(s.mode, :mode), holder = coalesce(s.request, :request),
              process = coalesce(s.process, :process), why = coalesce(s.why, :why),
              payload = coalesce(s.payload, :payload), head = coalesce(s.pos, l.tail),
              version = l.version + 1, [no stay]
            FROM seen s
            WHERE l.name = :name AND [nothing came between]
            RETURNING l.number, l.since, l.holder, s.pos,
                      CASE WHEN l.holder <> :request THEN [tell holder] END),
          gone AS (DELETE FROM {queue} WHERE name = :name AND pos = (SELECT pos FROM changed))
          SELECT CASE WHEN c.holder = :request THEN c.number WHEN c.holder IS NULL THEN -1
                      ELSE 0 END, c.since
          FROM seen LEFT JOIN changed c ON true""");
}
