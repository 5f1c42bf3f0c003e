package io.holdfast.benchmarks.rungs;

import static io.holdfast.benchmarks.rungs.SqlStep.counted;
import static io.holdfast.benchmarks.rungs.SqlStep.returning;

import io.holdfast.jdbc.database.QueueTextDialect;
import java.util.List;

/**
 * The steps of the databases that need no server. They have neither a restart guard nor another
 * server to be led to, so a lock that was given back is taken without a look at the namespace.
 */
final class EmbeddedRungs {

  private static final String SET_OWNER =
      """
      {locks} SET queue = :owner
      WHERE name = :name AND queue = ''""";

  private static final String SET_FREE =
      """
      {locks} SET queue = ''
      WHERE name = :name AND queue = :owner""";

  private static final String OF_A_SESSION =
      " AND (SELECT opened_in FROM {sessions} WHERE id = :session) = {data incarnation}";

  private static final String TELLING = " RETURNING number, since";

  private static final String SET_NUMBER =
      """
      {locks} SET
        number = greatest({now}, number + 1), since = {now}, given_in = {data incarnation},
        queue = :owner
      WHERE name = :name AND queue = ''"""
          + OF_A_SESSION
          + TELLING;

  private static final String SET_FREE_SINCE =
      """
      {locks} SET since = {now}, queue = ''
      WHERE name = :name AND queue = :owner""";

  private EmbeddedRungs() {}

  /**
   * Returns the steps.
   *
   * @param update how an update begins
   */
  static List<SqlStep> steps(QueueTextDialect dialect, String update) {
    return List.of(
        new SqlStep(
            "one row, which stays, is changed twice if it is as it should be",
            Clauses.IDEMPOTENT,
            counted(update + SET_OWNER),
            counted(update + SET_FREE)),
        new SqlStep(
            "the answer has the row's number and time",
            Clauses.ANSWERS,
            returning(update + SET_OWNER + TELLING),
            counted(update + SET_FREE)),
        new SqlStep(
            "the session is there",
            Clauses.SESSION,
            returning(update + SET_OWNER + OF_A_SESSION + TELLING),
            counted(update + SET_FREE)),
        new SqlStep(
            "number and time by the clock where the row is locked",
            Clauses.RISING,
            returning(update + SET_NUMBER),
            counted(update + SET_FREE_SINCE)),
        new SqlStep(
            "the request in the text of the queue: the adapter's own statements",
            Clauses.RECORD,
            returning(dialect.take()),
            counted(dialect.leave())));
  }
}
