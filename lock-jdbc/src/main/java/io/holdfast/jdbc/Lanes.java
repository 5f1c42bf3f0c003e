package io.holdfast.jdbc;

import io.holdfast.jdbc.Connections.Work;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import java.util.function.Supplier;

/**
 * The connections of a backend by what they are kept for, so that calls that hang hold up none of
 * the others: heartbeats never queue behind the application's work, and what makes locks free does
 * not queue behind what asks for them.
 */
final class Lanes implements AutoCloseable {

  private static final int HEARTBEATS = 1;
  private static final int ENDINGS = 1;
  private static final int VERBS = 4;

  /** How many connections there are at most. */
  static final int CONNECTIONS = HEARTBEATS + ENDINGS + VERBS;

  private final Database database;
  private final Runnable closeThreads;
  private final Connections heartbeats;
  private final Connections endings;
  private final Connections verbs;

  private Lanes(Database database, Watch watch, Runnable closeThreads, Supplier<Opener> openers) {
    this.database = database;
    this.closeThreads = closeThreads;
    this.heartbeats = new Connections(database, HEARTBEATS, openers.get(), watch);
    this.endings = new Connections(database, ENDINGS, openers.get(), watch);
    this.verbs = new Connections(database, VERBS, openers.get(), watch);
  }

  /** For a database whose driver opens it on any thread, and returns in time by itself. */
  static Lanes ofFile(Database database) {
    return new Lanes(database, Watch.NONE, () -> {}, () -> database::open);
  }

  /** For a database of a server, with the threads that it uses. */
  static Lanes ofServer(Database database, OwnThreads threads) {
    return new Lanes(
        database, threads, threads::close, () -> new OpenerElsewhere(database, threads));
  }

  Database database() {
    return database;
  }

  /** For renewals. */
  <T> T heartbeat(Deadline deadline, Work<T> work) {
    // Another session's may hang in the only connection there is for them.
    return (heartbeats.isBusy() && !endings.isBusy() ? endings : heartbeats).call(deadline, work);
  }

  /** For releases and the end of sessions. */
  <T> T ending(Deadline deadline, Work<T> work) {
    return (verbs.isReady() ? verbs : endings).call(deadline, work);
  }

  /** For everything else. */
  <T> T verb(Deadline deadline, Work<T> work) {
    return verbs.call(deadline, work);
  }

  /** Opens one connection, to see that the database can be used. */
  void openOne(Deadline deadline) {
    verbs.call(deadline, link -> link);
  }

  /**
   * Opens all connections.
   *
   * @throws BackendFailure if there are not as many by the deadline
   */
  void openAll(Deadline deadline) {
    try {
      heartbeats.openAll(deadline);
      endings.openAll(deadline);
      verbs.openAll(deadline);
    } catch (BackendFailure e) {
      throw new BackendFailure(
          e.effect(),
          "The %d connections to %s that a client keeps could not be had: %s"
              .formatted(CONNECTIONS, database.describe(), e.getMessage()),
          e);
    }
  }

  @Override
  public void close() {
    verbs.close();
    endings.close();
    heartbeats.close();
    closeThreads.run();
    database.close();
  }
}
