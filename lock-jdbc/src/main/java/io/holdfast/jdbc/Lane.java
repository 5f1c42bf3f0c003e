package io.holdfast.jdbc;

import io.holdfast.jdbc.Lender.Loan;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Calls over connections that are lent for one purpose. A connection that broke, overran a deadline
 * or does not lead to the database any more is not used again.
 */
final class Lane implements AutoCloseable {

  private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

  private final Database database;
  private final Lender lender;
  private final Watch watch;
  private final Optional<Duration> askedAfter;

  /** When a call began that was not answered: what was not heard of since may lead nowhere too. */
  private volatile OptionalLong silentSinceNanos = OptionalLong.empty();

  /** What a verb does with a connection. */
  @FunctionalInterface
  interface Work<T> {
    T on(Link link) throws SQLException;
  }

  /**
   * Makes calls.
   *
   * @param watch ends them at their deadline
   * @param askedAfter after how long without a call a connection is asked for a sign of life before
   *     it is used, if ever
   */
  Lane(Database database, Lender lender, Watch watch, Optional<Duration> askedAfter) {
    this.database = database;
    this.lender = lender;
    this.watch = watch;
    this.askedAfter = askedAfter;
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
   * Does the work with a connection that nobody else uses meanwhile.
   *
   * @throws BackendFailure if none is to be had by the deadline, or the work fails so
   */
  <T> T call(Deadline deadline, Work<T> work) {
    Loan loan = borrow(deadline);
    Link link = loan.link();
    long begunNanos = System.nanoTime();
    link.begin(deadline);
    Watch.Call call = watch.begin(deadline, link::abort);
    T result;
    try {
      result = work.on(link);
    } catch (SQLException e) {
      throw call.returned() ? failed(loan, e) : overran(loan, begunNanos, e);
    } catch (RuntimeException e) {
      RuntimeException failure = afterChange(link, e);
      giveBack(loan, call);
      throw failure;
    } catch (Error e) {
      giveBack(loan, call);
      throw e;
    }
    giveBack(loan, call);
    return result;
  }

  private Loan borrow(Deadline deadline) {
    while (true) {
      Loan loan = lender.lend(deadline);
      if (isOfUse(loan.link(), deadline)) {
        return loan;
      }
      loan.discard();
    }
  }

  private boolean isOfUse(Link link, Deadline deadline) {
    long heardNanos = link.heardNanos();
    OptionalLong silentSince = silentSinceNanos;
    if (database.isStale(link.origin())
        || (silentSince.isPresent() && heardNanos - silentSince.getAsLong() < 0)) {
      return false;
    }
    long idleNanos = System.nanoTime() - heardNanos;
    boolean isAsked = askedAfter.isPresent() && idleNanos >= askedAfter.get().toNanos();
    return !isAsked || answers(link, deadline);
  }

  private boolean answers(Link link, Deadline deadline) {
    boolean isShort = deadline.remaining().compareTo(ANSWER_MAX) < 0;
    Watch.Call call = watch.begin(isShort ? deadline : Deadline.in(ANSWER_MAX), link::abort);
    boolean valid = link.isValid((int) ANSWER_MAX.toSeconds());
    return call.returned() && valid;
  }

  private static void giveBack(Loan loan, Watch.Call call) {
    if (call.returned()) {
      loan.link().heard();
      loan.giveBack();
    } else {
      loan.discard();
    }
  }

  private RuntimeException overran(Loan loan, long begunNanos, SQLException e) {
    loan.discard();
    // What nobody has heard of since may lead nowhere either, and cost the next call its time too.
    silentSinceNanos = OptionalLong.of(begunNanos);
    return new BackendFailure(
        Effect.UNKNOWN,
        "%s did not answer until the time for the call was over, so its connection was closed."
            .formatted(database.describe()),
        e);
  }

  private RuntimeException failed(Loan loan, SQLException e) {
    Link link = loan.link();
    boolean stale = database.isStale(link.origin());
    // Said before the next call begins on it. Whatever else was wrong with one that is stale: the
    // next call will find the database that is there now.
    RuntimeException failure =
        stale
            ? new BackendFailure(
                Effect.UNKNOWN,
                database.describe() + " was replaced or started again while a call was under way.",
                e)
            : afterChange(
                link, database.failure(e, link.hasChanged() ? Effect.UNKNOWN : Effect.NONE));
    if (!stale && database.isHarmless(e)) {
      link.heard();
      loan.giveBack();
    } else {
      loan.discard();
    }
    return failure;
  }

  private static RuntimeException afterChange(Link link, RuntimeException failure) {
    return link.hasChanged() ? BackendFailure.halfway(failure) : failure;
  }

  @Override
  public void close() {
    lender.close();
  }
}
