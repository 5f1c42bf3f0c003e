package io.holdfast.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockName;
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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * A connection that listens, and the thread that waits for what it hears. It is never mended: when
 * it breaks, everybody is told that the hints have ended.
 */
final class PostgresListener implements AutoCloseable {

  /** After so much silence it is asked whether the server is still there. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(30);

  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

  private final Database database;
  private final Deadline connectBy;
  private final String ownChannel =
      "holdfast_client_" + UUID.randomUUID().toString().replace("-", "");
  private final Map<String, Subscription> wanted = new ConcurrentHashMap<>();
  private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
  private volatile @Nullable Link link;
  private volatile boolean over;

  private record Subscription(HintListener listener, CompletableFuture<Boolean> begun) {}

  PostgresListener(Database database, Deadline connectBy) {
    this.database = database;
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
    // Who was added when the thread had ended is told by nobody else.
    return subscription == null || over
        ? CompletableFuture.failedFuture(new SQLException("Nobody listens any more."))
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
      Link opened = database.open(connectBy);
      try {
        link = opened;
        listen(opened.connection());
      } finally {
        // Not given back: whoever had it next would hear what is not for them.
        opened.discard();
      }
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
      subscription.listener().ended();
    }
  }

  private void listen(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) {
      throw new SQLFeatureNotSupportedException(
          "The connections are not those of PostgreSQL's driver.");
    }
    PGConnection notified = connection.unwrap(PGConnection.class);
    Set<String> channels = new HashSet<>();
    execute(connection, "LISTEN", ownChannel);
    ready.complete(true);
    while (!over) {
      @Nullable PGNotification[] heard = notified.getNotifications((int) SILENCE_MAX.toMillis());
      if (heard == null || heard.length == 0) {
        if (!connection.isValid((int) ANSWER_MAX.toSeconds())) {
          throw new SQLException("The server does not answer any more.");
        }
        continue;
      }
      for (PGNotification notification : heard) {
        if (notification.getName().equals(ownChannel)) {
          takeUp(connection, channels);
        } else {
          hint(notification);
        }
      }
    }
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
      byte[] name = HexFormat.of().parseHex(notification.getParameter());
      subscription.listener().accept(new LockName(new String(name, UTF_8)));
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
    @Nullable Link opened = link;
    if (opened != null) { // Else it finds out when it has connected.
      opened.abort();
    }
  }
}
