package io.holdfast.jdbc.pools;

import io.holdfast.error.HoldfastException;
import io.holdfast.jdbc.connections.Database;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.connections.DatabaseConnection.Work;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Runs calls over the connections that one lender has for one purpose. A connection that broke,
 * overran a deadline or does not lead to the database any more is not used again.
 */
final class CallRunner implements AutoCloseable {

  private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

  private final Database database;
  private final Lender lender;
  private final DeadlineTimer timer;
  private final Optional<Duration> validateAfter;

  /**
   * When the last unanswered call began: a connection without an answer since then may be dead too.
   */
  private volatile OptionalLong unansweredSinceNanos = OptionalLong.empty();

  /**
   * Makes calls.
   *
   * @param timer aborts them at their deadline
   * @param validateAfter a connection that was idle for so long is tested before it is used; empty
   *     for never
   */
  CallRunner(
      Database database, Lender lender, DeadlineTimer timer, Optional<Duration> validateAfter) {
    this.database = database;
    this.lender = lender;
    this.timer = timer;
    this.validateAfter = validateAfter;
  }

  /** Returns whether a call would find a connection at once. */
  boolean isReady() {
    return lender.isReady();
  }

  /** Returns whether a call would wait for another to end. */
  boolean isBusy() {
    return lender.isBusy();
  }

  /**
   * Does the work on a connection that no other call uses at the same time.
   *
   * @throws BackendFailure if there is no connection by the deadline, or the work fails with it
   */
  <T> T call(Deadline deadline, Work<T> work) {
    Loan loan = borrow(deadline);
    DatabaseConnection connection = loan.connection();
    long begunNanos = System.nanoTime();
    connection.begin(deadline);
    DeadlineTimer.Call call = start(loan, deadline);
    T result;
    try {
      result = connection.call(work);
    } catch (SQLException e) {
      throw call.returned() ? failed(loan, e) : overran(loan, begunNanos, e);
    } catch (BackendFailure | HoldfastException e) {
      RuntimeException failure = afterChange(connection, e);
      giveBack(loan, call);
      throw failure;
    } catch (RuntimeException | Error e) {
      // It may have hit the driver between two messages. The next call would then take an answer
      // that was not read for its own, and believe in a lock that another holds.
      boolean unused = call.returned();
      loan.discard();
      throw e;
    }
    giveBack(loan, call);
    return result;
  }

  private DeadlineTimer.Call start(Loan loan, Deadline deadline) {
    try {
      return timer.start(deadline, loan.connection()::abort);
    } catch (RuntimeException | Error e) {
      loan.giveBack();
      throw e;
    }
  }

  private Loan borrow(Deadline deadline) {
    while (true) {
      Loan loan = lender.lend(deadline);
      boolean usable = false;
      try {
        usable = isUsable(loan.connection(), deadline);
      } finally {
        if (!usable) {
          loan.discard();
        }
      }
      if (usable) {
        return loan;
      }
    }
  }

  private boolean isUsable(DatabaseConnection connection, Deadline deadline) {
    long heardNanos = connection.heardNanos();
    OptionalLong unansweredSince = unansweredSinceNanos;
    if (database.isKnownStale(connection.origin())
        || (unansweredSince.isPresent() && heardNanos - unansweredSince.getAsLong() < 0)) {
      return false;
    }
    long idleNanos = System.nanoTime() - heardNanos;
    boolean isAsked = validateAfter.isPresent() && idleNanos >= validateAfter.get().toNanos();
    return !isAsked || answers(connection, deadline);
  }

  private boolean answers(DatabaseConnection connection, Deadline deadline) {
    boolean isShort = deadline.remaining().compareTo(ANSWER_MAX) < 0;
    DeadlineTimer.Call call =
        timer.start(isShort ? deadline : Deadline.in(ANSWER_MAX), connection::abort);
    boolean valid = connection.isValid((int) ANSWER_MAX.toSeconds());
    return call.returned() && valid;
  }

  private static void giveBack(Loan loan, DeadlineTimer.Call call) {
    if (call.returned()) {
      loan.connection().heard();
      loan.giveBack();
    } else {
      loan.discard();
    }
  }

  private RuntimeException overran(Loan loan, long begunNanos, SQLException e) {
    loan.discard();
    // A connection without an answer since then may be dead too, and would cost the next call its
    // time.
    unansweredSinceNanos = OptionalLong.of(begunNanos);
    return new BackendFailure(
        Effect.UNKNOWN,
        "%s did not answer until the time for the call was over, so its connection was closed."
            .formatted(database.describe()),
        e);
  }

  private RuntimeException failed(Loan loan, SQLException e) {
    DatabaseConnection connection = loan.connection();
    boolean stale = database.isStale(connection.origin());
    // Said before the next call begins on it. If it is stale no other fault matters: the next call
    // will find the database that is there now.
    RuntimeException failure =
        stale
            ? new BackendFailure(
                Effect.UNKNOWN,
                database.describe() + " was replaced or started again while a call was under way.",
                e)
            : afterChange(
                connection,
                database.failure(e, connection.hasChanged() ? Effect.UNKNOWN : Effect.NONE));
    if (!stale && database.isHarmless(e)) {
      connection.heard();
      loan.giveBack();
    } else {
      loan.discard();
    }
    return failure;
  }

  private static RuntimeException afterChange(
      DatabaseConnection connection, RuntimeException failure) {
    return connection.hasChanged() ? BackendFailure.halfway(failure) : failure;
  }

  @Override
  public void close() {
    lender.close();
  }
}
