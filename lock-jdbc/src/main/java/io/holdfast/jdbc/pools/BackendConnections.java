package io.holdfast.jdbc.pools;

import io.holdfast.jdbc.connections.BackendThreads;
import io.holdfast.jdbc.connections.Database;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.connections.DatabaseConnection.Work;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.support.Permits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The connections of a backend, separated by purpose, so that a call that hangs delays no call of
 * another purpose. Heartbeats never queue behind the application's calls, and releases do not queue
 * behind grabs.
 */
public final class BackendConnections implements AutoCloseable {

  /**
   * The least number of an application's connections per client: two kept, one to listen, one
   * borrowed.
   */
  public static final int CONNECTIONS = Pools.HEARTBEATS + 2;

  private static final Duration VALIDATE_AFTER = Duration.ofSeconds(30);

  private final Database database;
  private final Runnable closeThreads;
  private final CallRunner heartbeats;
  private final CallRunner verbs;
  private final Lender beside;

  /** Of the connections for heartbeats all but one are for heartbeats alone. */
  private final Permits spare;

  private BackendConnections(
      Database database,
      CallRunner heartbeats,
      CallRunner verbs,
      Lender beside,
      Runnable closeThreads) {
    this.database = database;
    this.heartbeats = heartbeats;
    this.verbs = verbs;
    this.beside = beside;
    this.closeThreads = closeThreads;
    this.spare = new Permits(1, database.describe());
  }

  /** For a database whose driver opens it on any thread, and returns in time by itself. */
  public static BackendConnections ofFile(Database database) {
    return new BackendConnections(
        database,
        new CallRunner(
            database, new SingleConnectionLender(database), DeadlineTimer.NONE, Optional.empty()),
        new CallRunner(
            database, new SingleConnectionLender(database), DeadlineTimer.NONE, Optional.empty()),
        new OpeningLender(database, DatabaseConnection::giveBack),
        () -> {});
  }

  /**
   * For a database that a URI names, to which this connects. If it fails, the database is closed: a
   * login that is late tries no more.
   *
   * @param timer aborts calls at their deadline
   * @throws BackendFailure if there is no connection by the deadline
   */
  public static BackendConnections ofUri(
      Database database,
      BackendThreads threads,
      DeadlineTimer timer,
      PoolSettings settings,
      Deadline deadline) {
    Pools pools = new Pools(database, threads, settings);
    DatabaseConnection first;
    try {
      first = threads.open(database, deadline);
    } catch (RuntimeException | Error e) {
      database.close();
      throw e;
    }
    return ofServer(
        database,
        threads,
        timer,
        pools.forHeartbeats(),
        pools.forVerbs(first),
        new OpeningLender(database, threads::giveBack));
  }

  /**
   * For a database to which an application has connections.
   *
   * @throws BackendFailure if there are not as many as are needed by the deadline
   */
  public static BackendConnections ofApplication(
      Database database, BackendThreads threads, PoolSettings settings, Deadline deadline) {
    Pools pools = new Pools(database, threads, settings);
    List<DatabaseConnection> connections = openAll(database, threads, deadline);
    List<DatabaseConnection> kept = connections.subList(0, Pools.HEARTBEATS);
    connections.subList(Pools.HEARTBEATS, connections.size()).forEach(threads::giveBack);
    return ofServer(
        database,
        threads,
        threads,
        pools.ofApplication(kept),
        new BorrowingLender(database, threads, settings.connections()),
        new BorrowingLender(database, threads, 1));
  }

  private static List<DatabaseConnection> openAll(
      Database database, BackendThreads threads, Deadline deadline) {
    List<DatabaseConnection> connections = new ArrayList<>();
    try {
      while (connections.size() < CONNECTIONS) {
        connections.add(threads.open(database, deadline));
      }
      return connections;
    } catch (RuntimeException e) {
      connections.forEach(threads::giveBack);
      throw e instanceof BackendFailure failure ? tooFew(database, connections.size(), failure) : e;
    }
  }

  private static BackendFailure tooFew(Database database, int had, BackendFailure failure) {
    return new BackendFailure(
        failure.effect(),
        "A client needs %s connections to %s at a time, and the application's DataSource gave %s of them: %s"
            .formatted(CONNECTIONS, database.describe(), had, failure.getMessage()),
        failure);
  }

  private static BackendConnections ofServer(
      Database database,
      BackendThreads threads,
      DeadlineTimer timer,
      Lender heartbeats,
      Lender verbs,
      Lender beside) {
    return new BackendConnections(
        database,
        new CallRunner(database, heartbeats, timer, Optional.empty()),
        new CallRunner(database, verbs, timer, Optional.of(VALIDATE_AFTER)),
        beside,
        threads::close);
  }

  /** For renewals. */
  public <T> T heartbeat(Deadline deadline, Work<T> work) {
    return heartbeats.call(deadline, work);
  }

  /** For releases and the end of sessions. */
  public <T> T ending(Deadline deadline, Work<T> work) {
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
  public <T> T verb(Deadline deadline, Work<T> work) {
    return verbs.call(deadline, work);
  }

  /**
   * Lends a connection beside these, for as long as the client is told of changes over it. It can
   * be given back after these were closed, too. Of an application's there is one, and no other is
   * asked for before that has come and gone.
   *
   * @throws BackendFailure without effect, if there is none by the deadline
   */
  public Loan beside(Deadline deadline) {
    return beside.lend(deadline);
  }

  /** Opens one connection, to see that the database can be used. */
  public void openOne(Deadline deadline) {
    verbs.call(deadline, connection -> connection);
  }

  /** A connection lent beside these is not waited for: it keeps nothing for itself. */
  @Override
  public void close() {
    verbs.close();
    heartbeats.close();
    closeThreads.run();
    database.close();
  }
}
