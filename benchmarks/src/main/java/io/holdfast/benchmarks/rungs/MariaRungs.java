package io.holdfast.benchmarks.rungs;

import static io.holdfast.benchmarks.rungs.SqlStep.counted;
import static io.holdfast.benchmarks.rungs.SqlStep.keyed;

import io.holdfast.jdbc.mariadb.MariaDialect;
import java.util.List;

/** The steps of MariaDB, whose statements tell by a generated key what they have done. */
final class MariaRungs {

  private static final String SET_OWNER =
      """
      UPDATE {locks} SET queue = :owner
      WHERE name = :name AND queue = ''""";

  private static final String SET_FREE =
      """
      UPDATE {locks} SET queue = ''
      WHERE name = :name AND queue = :owner""";

  private static final String TELL_NUMBER =
      """
      UPDATE {locks} SET since = LAST_INSERT_ID(number), queue = :owner
      WHERE name = :name AND queue = ''""";

  private static final String OF_A_SESSION =
      " AND (SELECT opened_in FROM {sessions} WHERE id = :session) = :dataincarnation";

  private static final String GUARD_IS_OVER =
      " AND (SELECT :guard = 0 OR guard_until <= {now} FROM {namespace})";

  private static final String OF_A_SESSION_HERE =
      " AND (SELECT opened_in FROM {sessions} WHERE id = :session) = {data incarnation}";

  private static final String TELL_NUMBER_BY_CLOCK =
      """
      UPDATE {locks} SET
        number = greatest({now}, number + 1), since = LAST_INSERT_ID(number),
        given_in = :dataincarnation, queue = :owner
      WHERE name = :name AND queue = '' AND number < {now}""";

  private static final String SET_FREE_SINCE =
      """
      UPDATE {locks} SET since = {now}, queue = ''
      WHERE name = :name AND queue = :owner""";

  private MariaRungs() {}

  static List<SqlStep> steps() {
    MariaDialect dialect = new MariaDialect();
    return List.of(
        new SqlStep(
            "one row, which stays, is changed twice if it is as it should be",
            Clauses.IDEMPOTENT,
            counted(SET_OWNER),
            counted(SET_FREE)),
        new SqlStep(
            "the answer has the row's number",
            Clauses.ANSWERS,
            keyed(TELL_NUMBER),
            counted(SET_FREE)),
        new SqlStep(
            "the session is there",
            Clauses.SESSION,
            keyed(TELL_NUMBER + OF_A_SESSION),
            counted(SET_FREE)),
        new SqlStep(
            "the namespace's guard",
            Clauses.GUARD,
            keyed(TELL_NUMBER + GUARD_IS_OVER + OF_A_SESSION),
            counted(SET_FREE)),
        new SqlStep(
            "the server's place and start",
            Clauses.INCARNATION,
            keyed(TELL_NUMBER + GUARD_IS_OVER + OF_A_SESSION_HERE),
            counted(SET_FREE)),
        new SqlStep(
            "number and time by the clock where the row is locked",
            Clauses.RISING,
            keyed(TELL_NUMBER_BY_CLOCK + GUARD_IS_OVER + OF_A_SESSION_HERE),
            counted(SET_FREE_SINCE)),
        new SqlStep(
            "the request in the text of the queue: the adapter's own statements",
            Clauses.RECORD,
            keyed(dialect.take()),
            counted(dialect.leave())));
  }
}
