package io.holdfast.jdbc;

import io.holdfast.jdbc.Lane.Work;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.Permits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The connections of a backend by what they are for, so that calls that hang hold up none of the
 * others: heartbeats never queue behind the application's work, and what makes locks free does not
 * queue behind what asks for them.
 */
final class Lanes implements AutoCloseable {

  /** How many connections of an application a client has at least: two kept, one to listen, one. */
  static final int CONNECTIONS = Pools.HEARTBEATS + 2;

  private static final Duration ASKED_AFTER = Duration.ofSeconds(30);

  private final Database database;
  private final Runnable closeThreads;
  private final Lane heartbeats;
  private final Lane verbs;

  /** Of the connections for heartbeats all but one are for heartbeats alone. */
  private final Permits spare;

  private Lanes(Database database, Lane heartbeats, Lane verbs, Runnable closeThreads) {
    this.database = database;
    this.heartbeats = heartbeats;
    this.verbs = verbs;
    this.closeThreads = closeThreads;
    this.spare = new Permits(1, database.describe());
  }

  /** For a database whose driver opens it on any thread, and returns in time by itself. */
  static Lanes ofFile(Database database) {
    return new Lanes(
        database,
        new Lane(database, new OneKept(database), Watch.NONE, Optional.empty()),
        new Lane(database, new OneKept(database), Watch.NONE, Optional.empty()),
        () -> {});
  }

  /**
   * For a database that a URI names, to which this connects.
   *
   * @param watch ends calls at their deadline
   * @throws BackendFailure if there is no connection by the deadline
   */
  static Lanes ofUri(
      Database database,
      OwnThreads threads,
      Watch watch,
      PoolSettings settings,
      Deadline deadline) {
    Pools pools = new Pools(database, threads, settings);
    Link first = threads.open(database, deadline);
    return ofServer(database, threads, watch, pools.forHeartbeats(), pools.forVerbs(first));
  }

  /**
   * For a database to which an application has connections.
   *
   * @throws BackendFailure if there are not as many as are needed by the deadline
   */
  static Lanes ofApplication(
      Database database, OwnThreads threads, PoolSettings settings, Deadline deadline) {
    Pools pools = new Pools(database, threads, settings);
    List<Link> links = openAll(database, threads, deadline);
    List<Link> kept = links.subList(0, Pools.HEARTBEATS);
    links.subList(Pools.HEARTBEATS, links.size()).forEach(threads::letGo);
    return ofServer(
        database,
        threads,
        threads,
        pools.ofApplication(kept),
        new BorrowingLender(database, threads, settings.connections()));
  }

  private static List<Link> openAll(Database database, OwnThreads threads, Deadline deadline) {
    List<Link> links = new ArrayList<>();
    try {
      while (links.size() < CONNECTIONS) {
        links.add(threads.open(database, deadline));
      }
      return links;
    } catch (RuntimeException e) {
      links.forEach(threads::letGo);
      throw e instanceof BackendFailure failure ? tooFew(database, links.size(), failure) : e;
    }
  }

  private static BackendFailure tooFew(Database database, int had, BackendFailure failure) {
    return new BackendFailure(
        failure.effect(),
        "A client needs %d connections to %s at a time, and the application's DataSource gave %d of them: %s"
            .formatted(CONNECTIONS, database.describe(), had, failure.getMessage()),
        failure);
  }

  private static Lanes ofServer(
      Database database, OwnThreads threads, Watch watch, Lender heartbeats, Lender verbs) {
    return new Lanes(
        database,
        new Lane(database, heartbeats, watch, Optional.empty()),
        new Lane(database, verbs, watch, Optional.of(ASKED_AFTER)),
        threads::close);
  }

  Database database() {
    return database;
  }

  /** For renewals. */
  <T> T heartbeat(Deadline deadline, Work<T> work) {
    return heartbeats.call(deadline, work);
  }

  /** For releases and the end of sessions. */
  <T> T ending(Deadline deadline, Work<T> work) {
    if (verbs.isReady() || (!spare.areLeft() && !verbs.isBusy())) {
      return verbs.call(deadline, work);
    }
    spare.acquire(deadline);
    try {
      return heartbeats.call(deadline, work);
    } finally {
      spare.release();
    }
  }

  /** For everything else. */
  <T> T verb(Deadline deadline, Work<T> work) {
    return verbs.call(deadline, work);
  }

  /** Opens one connection, to see that the database can be used. */
  void openOne(Deadline deadline) {
    verbs.call(deadline, link -> link);
  }

  @Override
  public void close() {
    verbs.close();
    heartbeats.close();
    closeThreads.run();
    database.close();
  }
}
