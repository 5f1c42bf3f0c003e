package io.holdfast.jdbc;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.ServerKind.Maker;
import io.holdfast.jdbc.connections.BackendThreads;
import io.holdfast.jdbc.connections.BorrowingSource;
import io.holdfast.jdbc.connections.BorrowingSource.Product;
import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.connections.DatabaseName;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.jdbc.database.HintSource;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.LockDatabase.Options;
import io.holdfast.jdbc.database.LockVerbs;
import io.holdfast.jdbc.database.QueueTextDatabase;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.database.TablePrefix;
import io.holdfast.jdbc.h2.H2Database;
import io.holdfast.jdbc.h2.H2Uri;
import io.holdfast.jdbc.hints.WatchedHints;
import io.holdfast.jdbc.mariadb.MariaDatabase;
import io.holdfast.jdbc.mariadb.MariaSource;
import io.holdfast.jdbc.pools.BackendConnections;
import io.holdfast.jdbc.postgres.PostgresDatabase;
import io.holdfast.jdbc.postgres.PostgresSource;
import io.holdfast.jdbc.sqlite.SqliteDatabase;
import io.holdfast.jdbc.sqlite.SqliteFile;
import io.holdfast.jdbc.sqlite.SqliteSettings;
import io.holdfast.jdbc.verbs.QueueTexts;
import io.holdfast.jdbc.verbs.SessionSweep;
import io.holdfast.jdbc.verbs.Sessions;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Capabilities.Event;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.Watching;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.spi.answer.Sighting;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Locks in a database. A lock's row is the only point of order: joining, leaving and handing over
 * are one statement each that is decided on this row, every statement is committed by itself, and
 * its client may die after any of them.
 */
final class JdbcLockBackend implements LockBackend, ResumableSessions {

  private final LockDatabase database;
  private final BackendConnections connections;
  private final Optional<HintSource> hints;
  private final Capabilities capabilities;
  private final Sessions sessions;
  private final LockVerbs locks;
  private final SessionSweep sessionSweep;

  /** A database, and the connections to it. */
  private record Connected(LockDatabase database, BackendConnections connections) {}

  private JdbcLockBackend(Connected connected, BackendOptions options, Duration idle) {
    this.connections = connected.connections();
    this.database = connected.database();
    this.hints = database.hints(connections).or(() -> watched(connected));
    this.sessions = new Sessions(database, options.namespace());
    Options given = new Options(options, idle);
    this.locks = database.verbs(given, texts -> new QueueTexts(texts, given));
    this.capabilities =
        new Capabilities(
            hints.isPresent() ? Wakeup.PUSH : Wakeup.POLL,
            Order.FIFO,
            Expiry.BY_OTHERS,
            locks.modes(),
            Set.of(Event.DELETION, Event.RESTART, Event.PARTIAL_LOSS, Event.TOTAL_LOSS),
            database.mayLoseGrants() ? Losses.of(options.restartGuard()) : Losses.NEVER,
            locks.stays());
    this.sessionSweep = new SessionSweep(database, idle);
  }

  /** Returns hints from what a database has changed, where nothing tells whose request it was. */
  private static Optional<HintSource> watched(Connected to) {
    return to.database() instanceof QueueTextDatabase texts
        ? texts.changes().map(changes -> new WatchedHints(texts, changes, to.connections()))
        : Optional.empty();
  }

  /** Makes a backend of a lock file, which it opens once to see that it can be used. */
  static JdbcLockBackend sqlite(
      SqliteFile file, SqliteSettings settings, BackendOptions options, Deadline deadline) {
    TablePrefix.requireNoSchema(settings.prefix());
    LockDatabase database = new SqliteDatabase(file, settings);
    Connected connected = new Connected(database, BackendConnections.ofFile(database));
    return opened(
        connected, options, settings.idle(), () -> connected.connections().openOne(deadline));
  }

  /** Makes a backend of a PostgreSQL database, to which it connects once to see that it can. */
  static JdbcLockBackend postgres(
      String uri, ServerSettings settings, BackendOptions options, Deadline deadline) {
    return ofUri(PostgresDatabase::new, uri, new PostgresSource(uri), settings, options, deadline);
  }

  /**
   * Makes a backend of a MariaDB or MySQL database, to which it connects once to see that it can.
   */
  static JdbcLockBackend maria(
      String uri, ServerSettings settings, BackendOptions options, Deadline deadline) {
    return ofUri(MariaDatabase::new, uri, new MariaSource(uri), settings, options, deadline);
  }

  static JdbcLockBackend ofUri(
      Maker maker,
      String uri,
      ConnectionSource source,
      ServerSettings settings,
      BackendOptions options,
      Deadline deadline) {
    return onServer(
        threads -> {
          LockDatabase database = maker.make(DatabaseName.ofUrl(uri), settings, source, threads);
          return new Connected(
              database,
              BackendConnections.ofUri(database, threads, threads, settings.pools(), deadline));
        },
        options,
        settings);
  }

  /** Makes a backend of an H2 database, which it opens once to see that it can be used. */
  static JdbcLockBackend h2(
      H2Uri uri, ServerSettings settings, BackendOptions options, Deadline deadline) {
    LockDatabase database = new H2Database(uri, settings);
    return onServer(
        threads ->
            new Connected(
                database,
                BackendConnections.ofUri(
                    database, threads, DeadlineTimer.NONE, settings.pools(), deadline)),
        options,
        settings);
  }

  /** Makes a backend over a data source, of which it keeps as many connections as it must. */
  static JdbcLockBackend over(
      DataSource dataSource, ServerSettings settings, BackendOptions options, Deadline deadline) {
    BorrowingSource source = new BorrowingSource(dataSource);
    return onServer(
        threads -> {
          Product product = source.look(threads, deadline);
          LockDatabase database =
              ServerKind.of(product).maker().make(product.name(), settings, source, threads);
          return new Connected(
              database,
              BackendConnections.ofApplication(database, threads, settings.pools(), deadline));
        },
        options,
        settings);
  }

  private static JdbcLockBackend onServer(
      Function<BackendThreads, Connected> connecting,
      BackendOptions options,
      ServerSettings settings) {
    BackendThreads threads = new BackendThreads();
    try {
      return new JdbcLockBackend(connecting.apply(threads), options, settings.idle());
    } catch (RuntimeException | Error e) {
      threads.close();
      throw e;
    }
  }

  private static JdbcLockBackend opened(
      Connected connected, BackendOptions options, Duration idle, Runnable open) {
    JdbcLockBackend backend = new JdbcLockBackend(connected, options, idle);
    try {
      open.run();
      return backend;
    } catch (RuntimeException | Error e) {
      backend.close();
      throw e;
    }
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public String describe() {
    return database.describe();
  }

  @Override
  public Opened open(SessionSpec spec, Deadline deadline) {
    return connections.verb(deadline, connection -> sessions.open(connection, spec));
  }

  @Override
  public Renewed renew(SessionId session, Deadline deadline) {
    return sessions.isLost(session)
        ? new Renewed.Over()
        : connections.heartbeat(deadline, connection -> sessions.renew(connection, session));
  }

  /** Renews first: none of its requests is removed any more when they are read. */
  @Override
  public Optional<Resumed> resume(SessionId session, Deadline deadline) {
    return connections.verb(
        deadline,
        connection ->
            sessions.renew(connection, session) instanceof Renewed.Alive alive
                ? Optional.of(
                    new Resumed(
                        alive.ttl(),
                        sessions.settle(connection),
                        locks.requestsOf(connection, session)))
                : Optional.empty());
  }

  @Override
  public Ended end(SessionId session, EndIf when, Deadline deadline) {
    return connections.ending(deadline, connection -> sessions.end(connection, session, when));
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    Attempt attempt = connections.verb(deadline, connection -> locks.grab(connection, request));
    if (attempt instanceof Attempt.Queued) {
      hints.ifPresent(source -> source.waits(request.key()));
    }
    return attempt;
  }

  @Override
  public Attempt overtake(Request request, Observed head, Deadline deadline) {
    Attempt attempt =
        connections.verb(deadline, connection -> locks.overtake(connection, request, head));
    boolean holdsAlone = attempt instanceof Attempt.Granted && request.mode() == LockMode.EXCLUSIVE;
    if (!holdsAlone) {
      changed(head.name(), deadline);
    }
    return attempt;
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    Released released =
        connections.ending(deadline, connection -> locks.release(connection, name, request));
    if (released == Released.WAS_WAITING) {
      hints.ifPresent(source -> source.waitsNoMore(new RequestKey(name, request)));
    }
    if (released == Released.HANDED_ON) {
      changed(name, deadline);
    }
    return released;
  }

  @Override
  public Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
    if (!locks.stays().contains(Stays.AT_LEAST)) {
      return LockBackend.super.releaseAfter(key, stay, deadline);
    }
    Released released =
        connections.ending(deadline, connection -> locks.releaseAfter(connection, key, stay));
    changed(key.name(), deadline);
    return released;
  }

  @Override
  public OptionalLong downgrade(RequestKey key, Deadline deadline) {
    if (!locks.modes().contains(LockMode.SHARED)) {
      return LockBackend.super.downgrade(key, deadline);
    }
    OptionalLong number =
        connections.verb(deadline, connection -> locks.downgrade(connection, key));
    changed(key.name(), deadline);
    return number;
  }

  @Override
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    List<Standing> standings =
        connections.verb(deadline, connection -> locks.look(connection, session, requests));
    hints.ifPresent(source -> tell(source, requests, standings));
    return standings;
  }

  private void changed(LockName name, Deadline deadline) {
    hints.ifPresent(source -> source.changed(name, deadline));
  }

  private static void tell(HintSource source, List<RequestKey> requests, List<Standing> standings) {
    for (int i = 0; i < requests.size(); i++) {
      if (standings.get(i) instanceof Standing.Waiting) {
        source.waits(requests.get(i));
      } else {
        source.waitsNoMore(requests.get(i));
      }
    }
  }

  @Override
  public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
    Revocation revocation =
        connections.verb(deadline, connection -> locks.revoke(connection, head, when));
    if (revocation instanceof Revocation.Freed) {
      changed(head.name(), deadline);
    }
    return revocation;
  }

  @Override
  public Revocation revokeIn(Observed head, Duration notice, Deadline deadline) {
    return locks.stays().contains(Stays.REVOKE_LATER)
        ? connections.verb(deadline, connection -> locks.revokeIn(connection, head, notice))
        : LockBackend.super.revokeIn(head, notice, deadline);
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    connections.verb(
        deadline,
        connection -> {
          sessions.acknowledge(connection, request);
          return request;
        });
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
    return inspect(name, Integer.MAX_VALUE, deadline);
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, int waiters, Deadline deadline) {
    return connections.verb(deadline, connection -> locks.inspect(connection, name, waiters));
  }

  @Override
  public Optional<List<Waiter>> waitersBehind(
      LockName name, RequestId after, int limit, Deadline deadline) {
    return connections.verb(
        deadline, connection -> locks.waitersBehind(connection, name, after, limit));
  }

  @Override
  public List<LockRecord> list(
      String prefix, Optional<LockName> after, int limit, Deadline deadline) {
    return connections.verb(deadline, connection -> locks.list(connection, prefix, after, limit));
  }

  @Override
  public Watching watch(LockName name, HintListener hints) {
    return new Watching() {
      @Override
      public Sighting read(int waiters, Deadline deadline) {
        return connections.verb(deadline, connection -> locks.see(connection, name, waiters));
      }

      @Override
      public void close() {
        // The hints of databases are for waiters alone, so no client sends any to this.
      }
    };
  }

  @Override
  public int sweep(Deadline deadline) {
    return connections.verb(
        deadline, connection -> sessionSweep.run(connection) + locks.sweep(connection));
  }

  @Override
  public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    return hints.isPresent() ? hints.get().listen(session, listener, deadline) : () -> {};
  }

  @Override
  public void close() {
    hints.ifPresent(HintSource::close);
    connections.close();
  }
}
