package io.holdfast.jdbc;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.SessionId;
import io.holdfast.jdbc.BorrowingSource.Product;
import io.holdfast.jdbc.ServerKind.Maker;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Capabilities.Event;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Opened;
import io.holdfast.spi.Released;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Locks in a database. A lock's queue lies in the lock's row, the only point of order: joining,
 * leaving and handing over are one statement on one row each, every statement is committed by
 * itself, and its client may die after any of them.
 */
final class JdbcLockBackend implements LockBackend {

  private final Database database;
  private final Lanes lanes;
  private final Optional<Push> push;
  private final Capabilities capabilities;
  private final Sessions sessions;
  private final Queues queues;
  private final Views views;
  private final Sweep sweep;

  private JdbcLockBackend(Lanes lanes, BackendOptions options, Duration idle) {
    this.lanes = lanes;
    this.database = lanes.database();
    this.push = database.push(lanes);
    this.capabilities =
        new Capabilities(
            push.isPresent() ? Wakeup.PUSH : Wakeup.POLL,
            Order.FIFO,
            Expiry.BY_OTHERS,
            Set.of(LockMode.EXCLUSIVE),
            Set.of(Event.DELETION, Event.RESTART, Event.PARTIAL_LOSS, Event.TOTAL_LOSS),
            database.mayLoseGrants() ? Losses.of(options.restartGuard()) : Losses.NEVER);
    this.sessions = new Sessions(database, options.namespace());
    this.queues = new Queues(database, options);
    this.views = new Views(database);
    this.sweep = new Sweep(database, idle);
  }

  /** Makes a backend of a lock file, which it opens once to see that it can be used. */
  static JdbcLockBackend sqlite(
      SqliteFile file, SqliteSettings settings, BackendOptions options, Deadline deadline) {
    TablePrefix.requireNoSchema(settings.prefix());
    Lanes lanes = Lanes.ofFile(new SqliteDatabase(file, settings));
    return opened(lanes, options, settings.idle(), () -> lanes.openOne(deadline));
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

  private static JdbcLockBackend ofUri(
      Maker maker,
      String uri,
      ConnectionSource source,
      ServerSettings settings,
      BackendOptions options,
      Deadline deadline) {
    return onServer(
        threads -> {
          Database database = maker.make(DatabaseName.ofUrl(uri), settings, source, threads);
          return Lanes.ofUri(database, threads, threads, settings.pools(), deadline);
        },
        options,
        settings);
  }

  /** Makes a backend of an H2 database, which it opens once to see that it can be used. */
  static JdbcLockBackend h2(
      H2Uri uri, ServerSettings settings, BackendOptions options, Deadline deadline) {
    Database database = new H2Database(uri, settings);
    return onServer(
        threads -> Lanes.ofUri(database, threads, Watch.NONE, settings.pools(), deadline),
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
          Database database =
              ServerKind.of(product).maker().make(product.name(), settings, source, threads);
          return Lanes.ofApplication(database, threads, settings.pools(), deadline);
        },
        options,
        settings);
  }

  private static JdbcLockBackend onServer(
      Function<OwnThreads, Lanes> lanes, BackendOptions options, ServerSettings settings) {
    OwnThreads threads = new OwnThreads();
    try {
      return new JdbcLockBackend(lanes.apply(threads), options, settings.idle());
    } catch (RuntimeException | Error e) {
      threads.close();
      throw e;
    }
  }

  private static JdbcLockBackend opened(
      Lanes lanes, BackendOptions options, Duration idle, Runnable open) {
    JdbcLockBackend backend = new JdbcLockBackend(lanes, options, idle);
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
    return lanes.verb(deadline, link -> sessions.open(link, spec));
  }

  @Override
  public Renewed renew(SessionId session, Deadline deadline) {
    return sessions.isLost(session)
        ? new Renewed.Over()
        : lanes.heartbeat(deadline, link -> sessions.renew(link, session));
  }

  @Override
  public Ended end(SessionId session, EndIf when, Deadline deadline) {
    return lanes.ending(deadline, link -> sessions.end(link, session, when));
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    return lanes.verb(deadline, link -> queues.grab(link, request));
  }

  @Override
  public Attempt overtake(Request request, Observed head, Deadline deadline) {
    return lanes.verb(deadline, link -> queues.overtake(link, request, head));
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    return lanes.ending(deadline, link -> queues.release(link, name, request));
  }

  @Override
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    return lanes.verb(deadline, link -> views.look(link, session, requests));
  }

  @Override
  public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
    return lanes.verb(deadline, link -> queues.revoke(link, head, when));
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    lanes.verb(
        deadline,
        link -> {
          sessions.acknowledge(link, request);
          return request;
        });
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
    return lanes.verb(deadline, link -> views.inspect(link, name));
  }

  @Override
  public List<LockRecord> list(
      String prefix, Optional<LockName> after, int most, Deadline deadline) {
    return lanes.verb(deadline, link -> views.list(link, prefix, after, most));
  }

  @Override
  public int sweep(Deadline deadline) {
    return lanes.verb(deadline, sweep::run);
  }

  @Override
  public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    return push.isPresent() ? push.get().listen(session, listener, deadline) : () -> {};
  }

  @Override
  public void close() {
    push.ifPresent(Push::close);
    lanes.close();
  }
}
