package io.holdfast.jdbc;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.Permits;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A small fixed number of connections for one purpose, opened when they are first needed and kept.
 * One that broke, overran a deadline or does not lead to the database any more is replaced.
 */
final class Connections implements AutoCloseable {

  private static final Duration GIVING_BACK_TIMEOUT = Duration.ofSeconds(2);

  private final Database database;
  private final Opener opener;
  private final Watch watch;
  private final int most;
  private final Permits permits;
  private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  /** A connection that nobody uses, and when it was last known to be of use. */
  private record Idle(Link link, long sinceNanos) {}

  /** What a verb does with a connection. */
  @FunctionalInterface
  interface Work<T> {
    T on(Link link) throws SQLException;
  }

  Connections(Database database, int most, Opener opener, Watch watch) {
    this.database = database;
    this.opener = opener;
    this.watch = watch;
    this.most = most;
    this.permits = new Permits(most, database.describe());
  }

  /** Opens all of them now. */
  void openAll(Deadline deadline) {
    List<Link> opened = new ArrayList<>();
    try {
      while (opened.size() < most) {
        opened.add(opener.open(deadline));
      }
    } finally {
      opened.forEach(this::giveBack);
    }
  }

  /** Returns whether a connection is open and idle. */
  boolean isReady() {
    return permits.areLeft() && !idle.isEmpty();
  }

  /** Returns whether all connections are in use. */
  boolean isBusy() {
    return !permits.areLeft();
  }

  /**
   * Does the work with a connection that nobody else uses meanwhile.
   *
   * @throws BackendFailure if none is to be had by the deadline, or the work fails so
   */
  <T> T call(Deadline deadline, Work<T> work) {
    permits.acquire(deadline);
    try {
      return callOn(take(deadline), deadline, work);
    } finally {
      permits.release();
    }
  }

  private <T> T callOn(Link link, Deadline deadline, Work<T> work) {
    long begunNanos = System.nanoTime();
    link.begin(deadline);
    Watch.Call call = watch.begin(deadline, link::abort);
    T result;
    try {
      result = work.on(link);
    } catch (SQLException e) {
      throw call.returned() ? failed(link, e) : overran(link, begunNanos, e);
    } catch (RuntimeException | Error e) {
      keep(link, call);
      throw e;
    }
    keep(link, call);
    return result;
  }

  private void keep(Link link, Watch.Call call) {
    if (call.returned()) {
      giveBack(link);
    } else {
      link.discard();
    }
  }

  private RuntimeException overran(Link link, long begunNanos, SQLException e) {
    link.discard();
    // What nobody has heard of since may lead nowhere either, and cost the next call its time too.
    for (Idle other : List.copyOf(idle)) {
      if (other.sinceNanos() - begunNanos < 0 && idle.remove(other)) {
        other.link().discard();
      }
    }
    return new BackendFailure(
        Effect.UNKNOWN,
        "%s did not answer until the time for the call was over, so its connection was closed."
            .formatted(database.describe()),
        e);
  }

  private RuntimeException failed(Link link, SQLException e) {
    boolean stale = database.isStale(link.origin());
    if (!stale && database.isHarmless(e)) {
      giveBack(link);
    } else {
      link.discard();
    }
    // Whatever else was wrong: the next call will find the database that is there now.
    return stale
        ? new BackendFailure(
            Effect.UNKNOWN,
            database.describe() + " was replaced or started again while a call was under way.",
            e)
        : database.failure(e, link.hasChanged() ? Effect.UNKNOWN : Effect.NONE);
  }

  private Link take(Deadline deadline) {
    if (closed) {
      throw new BackendFailure(
          Effect.NONE, "The backend for %s is closed.".formatted(database.describe()), null);
    }
    for (Idle next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      if (!database.isStale(next.link().origin())) {
        return next.link();
      }
      next.link().discard();
    }
    return opener.open(deadline);
  }

  private void giveBack(Link link) {
    idle.addFirst(new Idle(link, System.nanoTime()));
    if (closed) {
      closeIdle();
    }
  }

  private void closeIdle() {
    for (Idle next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      Link link = next.link();
      Watch.Call call = watch.begin(Deadline.in(GIVING_BACK_TIMEOUT), link::abort);
      link.giveBack();
      call.returned();
    }
  }

  /** Lets go of what is idle now, and of what is in use as soon as it has been used. */
  @Override
  public void close() {
    closed = true;
    closeIdle();
    opener.close();
  }
}
