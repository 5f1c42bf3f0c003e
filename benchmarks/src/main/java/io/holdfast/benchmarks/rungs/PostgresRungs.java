package io.holdfast.benchmarks.rungs;

import static io.holdfast.benchmarks.rungs.SqlStep.counted;
import static io.holdfast.benchmarks.rungs.SqlStep.returning;

import io.holdfast.jdbc.postgres.locks.ShortStatements;
import java.util.List;

/** The steps of PostgreSQL, whose adapter makes a missing row by the same statement. */
final class PostgresRungs {

  private static final String SET_OWNER =
      """
      UPDATE {locks} SET holder = :owner
      WHERE name = :name AND holder = ''""";

  private static final String SET_FREE =
      """
      UPDATE {locks} SET holder = ''
      WHERE name = :name AND holder = :owner""";

  private static final String NUMBER_AND_TIME = " RETURNING number, since";
  private static final String HOW_MANY_HOLD = " RETURNING run";

  private static final String MAKE =
      """
      INSERT INTO {locks} AS l
        (name, number, since, given_in, mode, holder, process, why, payload)
      """;

  private static final String OR_SET =
      """

      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder
      """;

  private static final String OR_SET_IN_LIFE =
      """

      ON CONFLICT (name) DO UPDATE SET
        number = greatest(excluded.number, l.number + 1), given_in = excluded.given_in,
        holder = excluded.holder
      """;

  private static final String OR_SET_BY_CLOCK =
      """

      ON CONFLICT (name) DO UPDATE SET
        number = greatest({now}, excluded.number, l.number + 1), since = {now},
        given_in = excluded.given_in, holder = excluded.holder
      """;

  private static final String IF_FREE =
      """
      WHERE l.holder = '' AND l.run = 0
      RETURNING l.number, l.since""";

  private static final String ANY = "VALUES (:name, 1, 1, '', 'x', :owner, '', '', '')";

  private static final String OF_A_SESSION =
      """
      SELECT :name, 1, 1, '', 'x', :owner, '', '', ''
      WHERE EXISTS (SELECT 1 FROM {sessions} m WHERE m.id = :session)""";

  private static final String GUARD_IS_OVER =
      """

        AND (:guard = 0 OR n.guard_until = 0 OR n.guard_until <= {now})""";

  private static final String IN_NAMESPACE =
      """
      SELECT :name, n.floor + 1, 1, n.life, 'x', :owner, '', '', ''
      FROM {namespace} n
      WHERE EXISTS (SELECT 1 FROM {sessions} m WHERE m.id = :session)"""
          + GUARD_IS_OVER;

  private static final String HERE =
      """

      FROM {namespace} n
      WHERE EXISTS (SELECT 1 FROM {sessions} m
                    WHERE m.id = :session AND m.opened_in = {data incarnation})
        AND {durably}"""
          + GUARD_IS_OVER;

  private static final String ON_THIS_SERVER =
      "SELECT :name, n.floor + 1, 1, n.life, 'x', :owner, '', '', ''" + HERE;

  private static final String BY_CLOCK =
      "SELECT :name, greatest({now}, n.floor + 1), {now}, n.life, 'x', :owner, '', '', ''" + HERE;

  private static final String DURABLY = " AND {durably}";

  private static final String SET_FREE_SINCE =
      """
      UPDATE {locks} SET holder = '', since = CASE WHEN run = 0 THEN {now} ELSE since END
      WHERE name = :name AND holder = :owner""";

  private PostgresRungs() {}

  static List<SqlStep> steps() {
    return List.of(
        new SqlStep(
            "one row, which stays, is changed twice if it is as it should be",
            Clauses.IDEMPOTENT,
            counted(SET_OWNER),
            counted(SET_FREE)),
        new SqlStep(
            "the answers have the row's number and time, and how many hold still",
            Clauses.ANSWERS,
            returning(SET_OWNER + NUMBER_AND_TIME),
            returning(SET_FREE + HOW_MANY_HOLD)),
        new SqlStep(
            "the same statement makes the row if it is missing",
            Clauses.ANSWERS,
            returning(MAKE + ANY + OR_SET + IF_FREE),
            returning(SET_FREE + HOW_MANY_HOLD)),
        new SqlStep(
            "the session is there",
            Clauses.SESSION,
            returning(MAKE + OF_A_SESSION + OR_SET + IF_FREE),
            returning(SET_FREE + HOW_MANY_HOLD)),
        new SqlStep(
            "the namespace's guard, floor and incarnation",
            Clauses.GUARD,
            returning(MAKE + IN_NAMESPACE + OR_SET_IN_LIFE + IF_FREE),
            returning(SET_FREE + HOW_MANY_HOLD)),
        new SqlStep(
            "the server's timeline, and that it answers when its log is written",
            Clauses.INCARNATION,
            returning(MAKE + ON_THIS_SERVER + OR_SET_IN_LIFE + IF_FREE),
            returning(SET_FREE + DURABLY + HOW_MANY_HOLD)),
        new SqlStep(
            "number and time by the clock where the row is locked",
            Clauses.RISING,
            returning(MAKE + BY_CLOCK + OR_SET_BY_CLOCK + IF_FREE),
            returning(SET_FREE_SINCE + DURABLY + HOW_MANY_HOLD)),
        new SqlStep(
            "the request in the row: the adapter's own statements",
            Clauses.RECORD,
            returning(ShortStatements.GRAB),
            returning(ShortStatements.LEAVE)));
  }
}
