package io.holdfast.jdbc.database;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.HoldfastException;
import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.jdbc.connections.NamedSql;
import io.holdfast.jdbc.connections.OwnThread;
import io.holdfast.jdbc.connections.RestorableConnection;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A database of a server, to which connections may break. */
public abstract class ServerDatabase implements LockDatabase {

  private static final Duration PREPARING_TIMEOUT = Duration.ofSeconds(5);

  private final String name;
  private final ServerSettings settings;
  private final ConnectionSource source;
  private final DeadlineTimer timer;
  private final Map<String, NamedSql> compiled = new ConcurrentHashMap<>();

  /**
   * Counts broken connections: a connection made before the last one broke is no longer trusted.
   */
  private final AtomicLong breaks = new AtomicLong();

  /** The server of the latest connection: connections to another server are no longer trusted. */
  private volatile @Nullable Server latest;

  /**
   * Where tables were checked last. They are not checked again until a connection has broken, leads
   * to another server, or a statement has found them to be others than they should be.
   */
  private volatile @Nullable Origin checked;

  /**
   * The server behind a connection.
   *
   * @param incarnation the server's uptime, within which its times can be compared
   * @param dataIncarnation the incarnation of the data: another one may lack grants of this one
   */
  public record Server(String incarnation, String dataIncarnation) {}

  private record Origin(Server server, long breaks) {}

  protected ServerDatabase(
      String name, ServerSettings settings, ConnectionSource source, DeadlineTimer timer) {
    this.name = name;
    this.settings = settings;
    this.source = source;
    this.timer = timer;
  }

  /** Whether a new connection checks the tables. */
  public enum TableCheck {
    MAKE_OR_CHECK,
    /** They were checked over an earlier connection. */
    TRUST,
    /** They may be of any version, or missing. */
    FORMER
  }

  /**
   * Applies the settings that the statements need, and asks to which server the connection leads.
   */
  protected abstract Server prepare(RestorableConnection taken, TableCheck tables)
      throws SQLException;

  /** Returns whether the server has gone, or has sent us away. */
  protected abstract boolean isBroken(SQLException e);

  /**
   * Returns whether the server, which took writes when the connection was made, takes none any
   * more: another one may be the primary by now.
   */
  protected boolean isReadOnly(SQLException e) {
    return false;
  }

  /**
   * Returns whether an interrupt of a thread inside it breaks the database for others too, as where
   * it runs in this JVM. Then each connection has a thread of its own.
   */
  protected boolean isHarmedByInterrupts() {
    return false;
  }

  /**
   * Returns the exception to throw for a failure.
   *
   * @param before what the call had changed before the statement that failed
   * @param broken what it may have changed if the connection broke under that statement
   */
  protected abstract RuntimeException failure(SQLException e, Effect before, Effect broken);

  @Override
  public final String describe() {
    return name;
  }

  protected final String prefix() {
    return settings.prefix();
  }

  @Override
  public final String render(String text) {
    return dialect().render(text, settings.prefix());
  }

  /** Gives a statement's parameters their names. */
  protected NamedSql named(String text) {
    return NamedSql.of(text);
  }

  @Override
  public final NamedSql compiled(String text) {
    return compiled.computeIfAbsent(text, missing -> named(render(missing)));
  }

  @Override
  public final DatabaseConnection open(Deadline deadline) {
    return open(deadline, this::prepared);
  }

  @Override
  public final Optional<DatabaseConnection> openFormer(Deadline deadline) {
    return Optional.of(
        open(
            deadline,
            (taken, breaksBefore) -> new Origin(prepare(taken, TableCheck.FORMER), breaksBefore)));
  }

  /** Prepares a new connection and says where it leads. */
  private interface Preparation {
    Origin of(RestorableConnection taken, long breaksBefore) throws SQLException;
  }

  private Origin prepared(RestorableConnection taken, long breaksBefore) throws SQLException {
    @Nullable Origin known = checked;
    if (known != null && known.breaks() == breaksBefore) {
      Origin origin = new Origin(prepare(taken, TableCheck.TRUST), breaksBefore);
      if (origin.equals(known)) {
        return origin;
      }
    }
    Origin origin = new Origin(prepare(taken, TableCheck.MAKE_OR_CHECK), breaksBefore);
    checked = origin;
    return origin;
  }

  private DatabaseConnection open(Deadline deadline, Preparation preparation) {
    try {
      return isHarmedByInterrupts()
          ? openOnItsOwn(new OwnThread(), deadline, preparation)
          : open(deadline, preparation, null);
    } catch (SQLException e) {
      throw told(e, Effect.NONE, Effect.NONE);
    }
  }

  private DatabaseConnection openOnItsOwn(
      OwnThread thread, Deadline deadline, Preparation preparation) throws SQLException {
    try {
      return thread.call(() -> open(deadline, preparation, thread));
    } catch (SQLException | RuntimeException | Error e) {
      thread.end(() -> {});
      throw e;
    }
  }

  private DatabaseConnection open(
      Deadline deadline, Preparation preparation, @Nullable OwnThread thread) throws SQLException {
    long breaksBefore = breaks.get();
    RestorableConnection taken = source.take(deadline);
    // A connection that arrives late is kept for the next call, so its preparation gets enough
    // time.
    boolean isShort = deadline.remaining().compareTo(PREPARING_TIMEOUT) < 0;
    Deadline bound = isShort ? Deadline.in(PREPARING_TIMEOUT) : deadline;
    DeadlineTimer.Call call = started(bound, taken);
    DatabaseConnection opened;
    try {
      taken.applyDefaults();
      Origin origin = preparation.of(taken, breaksBefore);
      latest = origin.server();
      opened = new DatabaseConnection(taken, this, origin, thread);
    } catch (SQLException | BackendFailure | HoldfastException e) {
      taken.giveBack();
      call.returned();
      throw e;
    } catch (RuntimeException | Error e) {
      // It may have hit the driver between two messages, as in CallRunner.
      taken.discard();
      call.returned();
      throw e;
    }
    if (!call.returned()) {
      taken.discard();
      throw new BackendFailure(Effect.NONE, "%s did not answer in time.".formatted(name), null);
    }
    return opened;
  }

  /** Where no thread can end its preparation, a connection is not used, but is not lost either. */
  private DeadlineTimer.Call started(Deadline bound, RestorableConnection taken) {
    try {
      return timer.start(bound, taken::abort);
    } catch (RuntimeException | Error e) {
      taken.giveBack(); // Nothing of it is to be restored yet.
      throw e;
    }
  }

  @Override
  public final RuntimeException failure(SQLException e, Effect before) {
    boolean isReadOnly = isReadOnly(e);
    if (isReadOnly || isBroken(e)) {
      breaks.incrementAndGet();
    }
    return isReadOnly
        ? new BackendFailure(
            before,
            "%s takes no more writes (%s), so its connections are replaced. If another server is the primary for good, name that one."
                .formatted(name, e.getMessage()),
            e)
        : told(e, before, Effect.UNKNOWN);
  }

  private RuntimeException told(SQLException e, Effect before, Effect broken) {
    RuntimeException failure = failure(e, before, broken);
    if (failure instanceof BackendUnusableException) {
      checked = null; // Tables may have been removed, which the next connection makes again.
    }
    return failure;
  }

  @Override
  public final boolean isStale(Object origin) {
    Origin from = (Origin) origin;
    return from.breaks() != breaks.get() || !from.server().equals(latest);
  }

  @Override
  public final boolean isReplaced(Object origin) {
    return false;
  }

  @Override
  public final Map<String, String> originParameters(Object origin) {
    Server server = ((Origin) origin).server();
    return Map.of("incarnation", server.incarnation(), "dataincarnation", server.dataIncarnation());
  }

  /** Nothing to do: calls are ended from outside. */
  @Override
  public void limit(Connection connection, Deadline deadline) throws SQLException {}

  @Override
  public final void onStatement(String text) {
    settings.onStatement().accept(text);
  }

  @Override
  public final void close() {
    source.close();
  }
}
