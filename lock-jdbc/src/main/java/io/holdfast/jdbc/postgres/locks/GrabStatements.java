package io.holdfast.jdbc.postgres.locks;

/** The statements by which a request takes a lock, or joins those who hold or wait. */
final class GrabStatements {

  private GrabStatements() {}

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
            lock_delay = excluded.lock_delay, version = l.version + 1
          WHERE [is free]
          RETURNING l.number, l.since""");

  /**
   * Only a run whose number was given in this incarnation of the data: an exclusive grant that this
   * data has lost may have followed any other.
   */
  private static final String MAY_SHARE =
      """
      (l.mode = 's' AND excluded.mode = 's' AND l.head = l.tail AND l.given_in = excluded.given_in)""";

  /**
   * Takes a free lock, or joins the run that holds it if both are shared and no request waits, or
   * else the queue, unless {@code :waiters} wait: columns {@code number}, 0 if it waits, and {@code
   * since}; no row if nothing was changed. First the lock's row is locked, then the entry comes,
   * both in one commit: a request that leaves sees either both or another tail. The first that
   * waits behind the holders tells them, some of them if they are many. A copy of a grab that
   * arrives when its request has become a tombstone changes nothing.
   */
  static final String JOIN =
      Fragments.in(
          """
          WITH asked AS (
            [new record]
            ON CONFLICT (name) DO UPDATE SET
              (number, since, given_in, mode, holder, process, why, payload, lock_delay, head,
               tail, run, version) = (
                SELECT greatest({now}, excluded.number, l.number + 1), {now}, excluded.given_in,
                       excluded.mode, excluded.holder, excluded.process, excluded.why,
                       excluded.payload, excluded.lock_delay, l.head, l.tail, 0, l.version + 1
                WHERE [is free]
                UNION ALL
                SELECT l.number, l.since, l.given_in, l.mode, l.holder, l.process, l.why,
                       l.payload, l.lock_delay,
                       CASE WHEN [may share] THEN l.tail + 1 ELSE l.head END, l.tail + 1,
                       CASE WHEN [may share] THEN l.run + 1 ELSE l.run END, l.version
                WHERE NOT [is free])
            WHERE [is free]
               OR (NOT l.holder [is the request or its tombstone]
                   AND NOT EXISTS (SELECT 1 FROM {queue} q
                                   WHERE q.request [is the request or its tombstone])
                   AND ([may share] OR [has room]))
            RETURNING l.number, l.since, l.mode, l.holder, l.head, l.tail),
          joined AS (
            INSERT INTO {queue} (name, pos, since, request, mode, process, why, payload, lock_delay)
            SELECT :name, a.tail, {now}, :request, :mode, :process, :why, :payload, :delay
            FROM asked a WHERE a.holder <> :request
            RETURNING since),
          told AS (
            SELECT count([tell])
            FROM asked a
            CROSS JOIN LATERAL (
              SELECT a.holder AS request WHERE a.holder <> ''
              UNION ALL
              (SELECT q.request FROM {queue} q
               WHERE a.mode = 's' AND q.name = :name AND q.pos <= a.head
               ORDER BY q.pos LIMIT [limit])) t
            WHERE a.head < a.tail
              AND NOT EXISTS (SELECT 1 FROM {queue} q WHERE q.name = :name AND q.pos > a.head))
          SELECT CASE WHEN a.holder = :request OR a.head = a.tail THEN a.number ELSE 0 END
                   AS number,
                 coalesce(j.since, a.since) AS since, (SELECT * FROM told)
          FROM asked a LEFT JOIN joined j ON true"""
              .replace("[may share]", MAY_SHARE)
              .replace("[is the request or its tombstone]", Fragments.orTombstone(":request"))
              .replace("[limit]", String.valueOf(PostgresLocks.HOLDERS_MAX)));
}
