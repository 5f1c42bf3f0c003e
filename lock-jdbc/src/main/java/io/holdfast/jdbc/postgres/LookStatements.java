package io.holdfast.jdbc.postgres;

/**
 * The statements by which waiting requests are looked at. None reads a whole queue: a request is
 * told of the holder, of the first waiter and of the one directly ahead of it. All others have one
 * behind them that looks.
 */
final class LookStatements {

  private LookStatements() {}

  /**
   * How requests of one session stand: {@code :names}, in hexadecimal digits, and {@code :requests}
   * as arrays. No row for one that is not there, or if the session is over. Each part of a line is
   * looked up on its own, with a limit, so that it is found by an index.
   */
  static final String LOOK =
      Fragments.in(
          """
          SELECT k.place, l.name, l.number, l.since, l.holder, l.holder = k.request AS holds,
                 [somebody waits] AS waited,
                 mine.pos - l.head AS ahead, l.stay, l.stay_from,
                 {comparable l.stay_in} AS stay_comparable,
                 h.ttl, h.renewed, {comparable h.incarnation} AS comparable,
                 first.request AS first, f.ttl AS first_ttl, f.renewed AS first_renewed,
                 {comparable f.incarnation} AS first_comparable,
                 next.request AS next, x.ttl AS next_ttl, x.renewed AS next_renewed,
                 {comparable x.incarnation} AS next_comparable,
                 n.max_clock_step AS step, {now} AS now
          FROM unnest(CAST(:names AS text[]), CAST(:requests AS text[]))
                 WITH ORDINALITY k (name, request, place)
          CROSS JOIN {namespace} n
          CROSS JOIN LATERAL (
            SELECT * FROM {locks} o WHERE o.name = decode(k.name, 'hex') LIMIT 1) l
          LEFT JOIN LATERAL (
            SELECT q.name, q.pos FROM {queue} q WHERE q.request = k.request LIMIT 1) mine
            ON mine.name = l.name AND mine.pos > l.head
          LEFT JOIN LATERAL (
            SELECT q.request FROM {queue} q
            WHERE q.name = l.name AND q.pos > l.head AND q.pos < mine.pos
            ORDER BY q.pos LIMIT 1) first ON true
          LEFT JOIN LATERAL (
            SELECT q.request FROM {queue} q
            WHERE q.name = l.name AND q.pos > l.head AND q.pos < mine.pos
            ORDER BY q.pos DESC LIMIT 1) next ON true
          LEFT JOIN {sessions} h ON h.id = left(l.holder, 32) AND h.opened_in = {data incarnation}
          LEFT JOIN {sessions} f ON f.id = left(first.request, 32) AND f.opened_in = {data incarnation}
          LEFT JOIN {sessions} x ON x.id = left(next.request, 32) AND x.opened_in = {data incarnation}
          WHERE (l.holder = k.request OR mine.pos IS NOT NULL)
            AND [session lives]""");

  /** The first {@code :limit} waiters of a lock ahead of a request, with their sessions. */
  static final String FRONT =
      """
      SELECT w.request, s.ttl, s.renewed, {comparable s.incarnation} AS comparable,
             n.max_clock_step AS step, {now} AS now
      FROM {namespace} n
      CROSS JOIN LATERAL (
        SELECT q.pos, q.request FROM {locks} l, {queue} q
        WHERE l.name = :name AND q.name = l.name AND q.pos > l.head
          AND q.pos < (SELECT m.pos FROM {queue} m WHERE m.request = :request)
        ORDER BY q.pos LIMIT :limit) w
      LEFT JOIN {sessions} s ON s.id = left(w.request, 32) AND s.opened_in = {data incarnation}
      ORDER BY w.pos""";
}
