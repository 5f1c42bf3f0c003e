package io.holdfast.jdbc.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockName;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.pools.BackendConnections;
import io.holdfast.jdbc.pools.Loan;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that listens, and the thread that waits for what it hears. It is never repaired:
 * when it breaks, all listeners are told that the hints have ended.
 */
final class PostgresListener implements AutoCloseable {

  /** After so long without a notification, the server is asked whether it still answers. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(30);

  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

  /**
   * How soon it has to notice that it is over on a connection of the application, which may not be
   * aborted for that. To look costs nothing at the server.
   */
  private static final Duration NOTICED_WITHIN = Duration.ofMillis(100);

  private static final Logger LOG = LoggerFactory.getLogger(PostgresListener.class);

  private final LockDatabase database;
  private final BackendConnections connections;
  private final Deadline connectBy;
  private final String ownChannel =
      "holdfast_client_" + UUID.randomUUID().toString().replace("-", "");
  private final Map<String, Subscription> wanted = new ConcurrentHashMap<>();
  private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
  private volatile @Nullable DatabaseConnection listening;
  private volatile boolean over;

  private record Subscription(HintListener listener, CompletableFuture<Boolean> begun) {}

  PostgresListener(LockDatabase database, BackendConnections connections, Deadline connectBy) {
    this.database = database;
    this.connections = connections;
    this.connectBy = connectBy;
  }

  void start() {
    // Nothing is inherited from the caller, whose transaction its connection must not belong to.
    Thread thread = new Thread(null, this::run, "holdfast-listen", 0, false);
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns the channel on which it can be called to take up new ones. */
  String ownChannel() {
    return ownChannel;
  }

  /** Completed when it listens on its own channel. */
  CompletableFuture<Boolean> ready() {
    return ready;
  }

  /** Completed when it listens on a channel that was added. */
  CompletableFuture<Boolean> begun(String channel) {
    @Nullable Subscription subscription = wanted.get(channel);
    // A subscription added after the thread has ended gets no other answer.
    return subscription == null || over
        ? CompletableFuture.failedFuture(new SQLException("The listener has ended."))
        : subscription.begun();
  }

  boolean isOver() {
    return over;
  }

  boolean isWanted() {
    return !wanted.isEmpty();
  }

  void add(String channel, HintListener listener) {
    wanted.put(channel, new Subscription(listener, new CompletableFuture<>()));
  }

  void remove(String channel) {
    wanted.remove(channel);
  }

  private void run() {
    Exception reason = new SQLException("It was closed.");
    try {
      Loan lent = connections.beside(connectBy);
      try {
        listening = lent.connection();
        listen(lent.connection());
      } catch (SQLException | RuntimeException | Error e) {
        lent.discard();
        throw e;
      }
      lent.giveBack();
    } catch (SQLException | RuntimeException e) {
      reason = e;
    } finally {
      end(reason);
    }
  }

  private void end(Exception reason) {
    over = true;
    ready.completeExceptionally(reason);
    for (Subscription subscription : wanted.values()) {
      subscription.begun().completeExceptionally(reason);
      tellEnd(subscription.listener());
    }
  }

  /** One that fails keeps no other from being told. */
  private void tellEnd(HintListener listener) {
    try {
      listener.ended();
    } catch (RuntimeException | Error e) {
      LOG.warn("{}: a listener could not be told that hints have ended", database.describe(), e);
    }
  }

  private void listen(DatabaseConnection opened) throws SQLException {
    Connection connection = opened.jdbc();
    if (!connection.isWrapperFor(PGConnection.class)) {
      throw new SQLFeatureNotSupportedException(
          "The connections are not those of PostgreSQL's driver.");
    }
    PGConnection notified = connection.unwrap(PGConnection.class);
    int timeout = connection.getNetworkTimeout();
    opened.restoreWith(() -> connection.setNetworkTimeout(Runnable::run, timeout));
    opened.restoreWith(() -> leave(connection, notified));
    connection.setNetworkTimeout(Runnable::run, (int) ANSWER_MAX.toMillis());
    execute(connection, "LISTEN", ownChannel);
    ready.complete(true);
    hear(connection, notified, opened.isOurs() ? SILENCE_MAX : NOTICED_WITHIN);
  }

  private void hear(Connection connection, PGConnection notified, Duration patience)
      throws SQLException {
    Set<String> channels = new HashSet<>();
    long heardNanos = System.nanoTime();
    while (!over) {
      @Nullable PGNotification[] heard = notified.getNotifications((int) patience.toMillis());
      if (heard != null && heard.length > 0) {
        heardNanos = System.nanoTime();
        for (PGNotification notification : heard) {
          if (notification.getName().equals(ownChannel)) {
            takeUp(connection, channels);
          } else {
            hint(notification);
          }
        }
      } else if (System.nanoTime() - heardNanos + patience.toNanos() >= SILENCE_MAX.toNanos()) {
        if (!connection.isValid((int) ANSWER_MAX.toSeconds())) {
          throw new SQLException("The server does not answer any more.");
        }
        heardNanos = System.nanoTime();
      }
    }
  }

  /** The next user of the connection must not receive our notifications. */
  private void leave(Connection connection, PGConnection notified) throws SQLException {
    execute(connection, "UNLISTEN", "*");
    notified.getNotifications(); // Those that have come before.
  }

  private void takeUp(Connection connection, Set<String> channels) throws SQLException {
    for (String channel : Set.copyOf(channels)) {
      if (!wanted.containsKey(channel)) {
        execute(connection, "UNLISTEN", channel);
        channels.remove(channel);
      }
    }
    for (Map.Entry<String, Subscription> entry : wanted.entrySet()) {
      if (channels.add(entry.getKey())) {
        execute(connection, "LISTEN", entry.getKey());
      }
      entry.getValue().begun().complete(true);
    }
  }

  private void hint(PGNotification notification) {
    @Nullable Subscription subscription = wanted.get(notification.getName());
    if (subscription != null) {
      nameIn(notification).ifPresent(subscription.listener()::accept);
    }
  }

  /** Empty if it is none of ours: every user of the database may notify on every channel. */
  private static Optional<LockName> nameIn(PGNotification notification) {
    try {
      byte[] name = HexFormat.of().parseHex(notification.getParameter());
      return Optional.of(new LockName(new String(name, UTF_8)));
    } catch (IllegalArgumentException | BadRequestException e) {
      LOG.debug(
          "Ignored \"{}\" on channel {}", notification.getParameter(), notification.getName(), e);
      return Optional.empty();
    }
  }

  private void execute(Connection connection, String verb, String channel) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(verb + " " + channel);
    }
  }

  /** Ends the thread, also from a wait that nothing else would end. */
  @Override
  public void close() {
    over = true;
    @Nullable DatabaseConnection opened = listening;
    // Else it finds out when it has connected, or a little later.
    if (opened != null && opened.isOurs()) {
      opened.abort();
    }
  }
}
