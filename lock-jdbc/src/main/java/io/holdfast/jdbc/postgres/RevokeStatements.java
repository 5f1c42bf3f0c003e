package io.holdfast.jdbc.postgres;

/** The statements that revoke a grant: first its session is told, then its record is marked. */
final class RevokeStatements {

  private RevokeStatements() {}

  /**
   * Whether {@code :request} holds the lock {@code o} with {@code :number}; its entry is {@code
   * me}.
   */
  private static final String HOLDS =
      """
      o.name = :name AND o.number = :number
      AND (o.holder = :request OR me.name = o.name AND me.pos <= o.head)""";

  /** Adds a notice to the {@code :session} while the observed holder is in place. */
  static final String TELL_SESSION =
      """
      UPDATE {sessions} SET notices = notices || :notice
      WHERE id = :session AND strpos(notices, :notice) = 0
        AND EXISTS (SELECT 1 FROM {locks} o LEFT JOIN {queue} me ON me.request = :request
                    WHERE [holds])"""
          .replace("[holds]", HOLDS);

  /**
   * Sets a stay that began in the past of this clock if there is one, or one of a whole TTL from
   * now on.
   */
  private static final String STAY =
      """
      (stay_from, stay_for, stay_in) = (
        SELECT l.stay_from, l.stay_for, l.stay_in
        WHERE l.stay <> '' AND l.stay_from <= {now} AND {comparable l.stay_in}
        UNION ALL
        SELECT {now}, s.lasts, {incarnation}
        WHERE NOT (l.stay <> '' AND l.stay_from <= {now} AND {comparable l.stay_in})),
      stay = 'revoked'""";

  /**
   * Gives the observed holder a stay of a whole TTL, unless it has one that began in the past of
   * this clock: column {@code remaining}, how long it still lasts; 0 if its session is over. The
   * lock's row is locked first, as by all who change the queue. While an entry is there it holds by
   * the number by which it was seen to.
   */
  static final String MARK =
      """
      WITH seen AS (
        SELECT o.name, me.pos, h.id, coalesce(h.ttl, 0) + n.max_clock_step AS lasts
        FROM {locks} o
        CROSS JOIN {namespace} n
        LEFT JOIN {queue} me ON me.request = :request
        LEFT JOIN {sessions} h ON h.id = :session AND h.opened_in = {data incarnation}
        WHERE [holds]),
      locked AS (
        UPDATE {locks} l SET version = l.version + 1 FROM seen s
        WHERE l.name = :name AND l.number = :number AND s.pos IS NOT NULL
        RETURNING s.*),
      holder AS (
        UPDATE {locks} l SET version = l.version + 1, [stay] FROM seen s
        WHERE l.name = :name AND l.number = :number AND l.holder = :request
        RETURNING l.stay_from + l.stay_for AS ends, s.id),
      member AS (
        UPDATE {queue} l SET [stay] FROM locked s
        WHERE l.name = :name AND l.pos = s.pos
        RETURNING l.stay_from + l.stay_for AS ends, s.id)
      SELECT CASE WHEN m.id IS NULL THEN 0 ELSE greatest(0, m.ends - {now}) END AS remaining
      FROM (SELECT * FROM holder UNION ALL SELECT * FROM member) m"""
          .replace("[holds]", HOLDS)
          .replace("[stay]", STAY);

  /**
   * Lets the stays of a lock's holders begin anew that began in the future, or under another
   * incarnation of the server, whose clock may have been another.
   */
  static final String RESTAMP =
      """
      WITH members AS (
        UPDATE {queue} SET stay_from = {now}, stay_in = {incarnation}
        WHERE name = :name AND [is doubtful])
      UPDATE {locks} SET stay_from = {now}, stay_in = {incarnation}, version = version + 1
      WHERE name = :name AND [is doubtful]"""
          .replace(
              "[is doubtful]", "stay <> '' AND (stay_from > {now} OR NOT ({comparable stay_in}))");
}
