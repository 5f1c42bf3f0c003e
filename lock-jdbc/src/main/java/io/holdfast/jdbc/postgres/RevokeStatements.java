package io.holdfast.jdbc.postgres;

/** The statements that revoke a grant: first its session is told, then its record is marked. */
final class RevokeStatements {

  private RevokeStatements() {}

  /** Adds a notice to the {@code :session} while the observed head is in place. */
  static final String TELL_SESSION =
      """
      UPDATE {sessions} SET notices = notices || :notice
      WHERE id = :session AND strpos(notices, :notice) = 0
        AND EXISTS (SELECT 1 FROM {locks}
                    WHERE name = :name AND number = :number AND holder = :request)""";

  /**
   * Gives the observed head a stay of a whole TTL, unless it has one that began in the past of this
   * clock: column {@code remaining}, how long it still lasts; 0 if its session is over.
   */
  static final String MARK =
      """
      UPDATE {locks} l SET
        (stay_from, stay_for, stay_in) = (
          SELECT l.stay_from, l.stay_for, l.stay_in
          WHERE l.stay <> '' AND l.stay_from <= {now} AND {comparable l.stay_in}
          UNION ALL
          SELECT {now}, coalesce(s.ttl, 0) + n.max_clock_step, {incarnation}
          WHERE NOT (l.stay <> '' AND l.stay_from <= {now} AND {comparable l.stay_in})),
        stay = 'revoked', version = l.version + 1
      FROM {namespace} n
      LEFT JOIN {sessions} s ON s.id = :session AND s.opened_in = {data incarnation}
      WHERE l.name = :name AND l.number = :number AND l.holder = :request
      RETURNING CASE WHEN s.id IS NULL THEN 0
                     ELSE greatest(0, l.stay_from + l.stay_for - {now}) END AS remaining""";

  /**
   * Lets a stay begin anew that began in the future, or under another incarnation of the server,
   * whose clock may have been another.
   */
  static final String RESTAMP =
      """
      UPDATE {locks} SET stay_from = {now}, stay_in = {incarnation}, version = version + 1
      WHERE name = :name AND stay <> '' AND (stay_from > {now} OR NOT ({comparable stay_in}))""";
}
