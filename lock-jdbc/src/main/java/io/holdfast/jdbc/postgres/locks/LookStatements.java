package io.holdfast.jdbc.postgres.locks;

/**
 * The statements by which waiting requests are looked at. None reads a whole queue: the first
 * waiter is told of the holders, a bounded number of them, and every other request of the first
 * holder, of the first waiter and of the one directly ahead of it. All others have one behind them
 * that looks.
 */
final class LookStatements {

  private LookStatements() {}

  /**
   * How requests of one session stand: {@code :names}, in hexadecimal digits, and {@code :requests}
   * as arrays. For each as many rows as there are entries ahead of it that are told, in order, and
   * one for a holder. No row for one that is not there, or if the session is over. Each part of a
   * line is looked up on its own, with a limit, so that it is found by an index.
   */
  static final String LOOK =
      Fragments.in(
              """
              SELECT k.place, l.name, l.number, l.mode,
                     l.holder = k.request OR coalesce(mine.pos <= l.head, false) AS holds,
                     greatest(l.since, CASE WHEN mine.pos <= l.head THEN mine.since END) AS since,
                     [somebody waits] AS waited,
                     mine.pos - l.head - 1 AS distance, a.waits, [judged]
              FROM unnest(CAST(:names AS text[]), CAST(:requests AS text[]))
                     WITH ORDINALITY k (name, request, place)
              CROSS JOIN {namespace} n
              CROSS JOIN LATERAL (
                SELECT * FROM {locks} o WHERE o.name = decode(k.name, 'hex') LIMIT 1) l
              LEFT JOIN LATERAL (
                SELECT q.name, q.pos, q.since FROM {queue} q
                WHERE q.request = k.request LIMIT 1) mine ON mine.name = l.name
              LEFT JOIN LATERAL (
                SELECT q.pos FROM {queue} q
                WHERE q.name = l.name AND q.pos > l.head AND q.pos < mine.pos
                ORDER BY q.pos LIMIT 1) first ON true
              LEFT JOIN LATERAL (
                SELECT * FROM ([holders]) h WHERE mine.pos > l.head
                UNION ALL
                (SELECT q.pos, true, q.since, q.request, q.mode, q.process, q.why, q.payload,
                        q.lock_delay, q.stay, q.stay_from, q.stay_for, q.stay_in
                 FROM {queue} q WHERE q.name = l.name AND q.pos = first.pos)
                UNION ALL
                (SELECT q.pos, true, q.since, q.request, q.mode, q.process, q.why, q.payload,
                        q.lock_delay, q.stay, q.stay_from, q.stay_for, q.stay_in
                 FROM {queue} q
                 WHERE q.name = l.name AND q.pos > first.pos AND q.pos < mine.pos
                 ORDER BY q.pos DESC LIMIT 1)) a ON true
              [its session]
              WHERE (l.holder = k.request OR mine.pos IS NOT NULL) AND [session lives]
              ORDER BY k.place, a.pos""")
          .replace("[limit]", "CASE WHEN first.pos IS NULL THEN [most] ELSE 1 END")
          .replace("[most]", String.valueOf(PostgresLocks.HOLDERS_MAX));

  /** The first {@code :limit} waiters of a lock ahead of a request, with their sessions. */
  static final String FRONT =
      Fragments.in(
          """
          SELECT [judged]
          FROM {namespace} n
          CROSS JOIN LATERAL (
            SELECT q.* FROM {locks} l, {queue} q
            WHERE l.name = :name AND q.name = l.name AND q.pos > l.head
              AND q.pos < (SELECT m.pos FROM {queue} m WHERE m.request = :request)
            ORDER BY q.pos LIMIT :limit) a
          [its session]
          ORDER BY a.pos""");
}
