package io.holdfast.jdbc;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A database of a server, to which connections may break. */
abstract class ServerDatabase implements Database {

  private static final Duration PREPARING_TIMEOUT = Duration.ofSeconds(5);

  private final String name;
  private final ServerSettings settings;
  private final ConnectionSource source;
  private final Watch watch;

  /** Counts the times that a connection broke: those made before are not trusted any more. */
  private final AtomicLong breaks = new AtomicLong();

  /** Where the last connection has led: those that led elsewhere are not trusted any more. */
  private volatile @Nullable Server latest;

  /**
   * What a connection has led to.
   *
   * @param incarnation the server's uptime, within which its times can be compared
   * @param life of the data: another one may lack grants of this
   */
  record Server(String incarnation, String life) {}

  private record Origin(Server server, long breaks) {}

  ServerDatabase(String name, ServerSettings settings, ConnectionSource source, Watch watch) {
    this.name = name;
    this.settings = settings;
    this.source = source;
    this.watch = watch;
  }

  /** What to do about the tables when there is a new connection. */
  enum TheTables {
    MAKE_OR_CHECK,
    TRUST
  }

  /** Sets what its statements need, and asks where it leads. */
  abstract Server prepare(Taken taken, TheTables tables) throws SQLException;

  /** Returns whether the server has gone, or has sent us away. */
  abstract boolean isBroken(SQLException e);

  /**
   * Returns the exception that says what happened.
   *
   * @param before what the call had changed before the statement that failed
   * @param broken what it may have changed if the connection broke under that statement
   */
  abstract RuntimeException failure(SQLException e, Effect before, Effect broken);

  @Override
  public final String describe() {
    return name;
  }

  final String prefix() {
    return settings.prefix();
  }

  @Override
  public final String render(String text) {
    return dialect().render(text, settings.prefix());
  }

  @Override
  public final Link open(Deadline deadline) {
    return open(deadline, TheTables.MAKE_OR_CHECK);
  }

  @Override
  public final Link reopen(Deadline deadline) {
    return open(deadline, TheTables.TRUST);
  }

  private Link open(Deadline deadline, TheTables tables) {
    long breaksBefore = breaks.get();
    try {
      Taken taken = source.take(deadline);
      // One that comes too late is for whoever asks next, and has to be prepared for that.
      boolean isShort = deadline.remaining().compareTo(PREPARING_TIMEOUT) < 0;
      Deadline bound = isShort ? Deadline.in(PREPARING_TIMEOUT) : deadline;
      Watch.Call call = watch.begin(bound, taken::abort);
      Link link;
      try {
        taken.settle();
        Server server = prepare(taken, tables);
        if (tables == TheTables.TRUST && !server.equals(latest)) {
          server = prepare(taken, TheTables.MAKE_OR_CHECK);
        }
        latest = server;
        link = new Link(taken, this, new Origin(server, breaksBefore));
      } catch (SQLException | RuntimeException | Error e) {
        taken.giveBack();
        call.returned();
        throw e;
      }
      if (!call.returned()) {
        taken.discard();
        throw new BackendFailure(Effect.NONE, "%s did not answer in time.".formatted(name), null);
      }
      return link;
    } catch (SQLException e) {
      throw failure(e, Effect.NONE, Effect.NONE);
    }
  }

  @Override
  public final RuntimeException failure(SQLException e, Effect before) {
    if (isBroken(e)) {
      breaks.incrementAndGet();
    }
    return failure(e, before, Effect.UNKNOWN);
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
  public final Map<String, String> given(Object origin) {
    Server server = ((Origin) origin).server();
    return Map.of("incarnation", server.incarnation(), "life", server.life());
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
