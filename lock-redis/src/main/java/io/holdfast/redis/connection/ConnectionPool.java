package io.holdfast.redis.connection;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.support.Permits;
import java.net.SocketException;
import java.time.Duration;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * At most a fixed number of connections to one partition, opened when they are needed; some of them
 * are kept. When one breaks, all earlier ones are closed, because another server may have taken
 * over.
 */
final class ConnectionPool implements AutoCloseable {

  private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

  private final Connector connector;
  private final int partition;
  private final AtomicLong breaks;
  private final Size size;
  private final Optional<Duration> validateAfter;
  private final Permits permits;
  private final Deque<ServerConnection> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  /**
   * How many connections there may be.
   *
   * @param limit the greatest number
   * @param kept how many are kept however long they are idle
   */
  record Size(int limit, int kept) {}

  /** The work of a verb with a connection. */
  @FunctionalInterface
  interface Work<T extends @Nullable Object> {
    T on(ServerConnection connection);
  }

  /**
   * Creates an empty pool.
   *
   * @param breaks counts broken connections, over all partitions
   * @param validateAfter a connection that was idle for so long is tested before it is used, or
   *     closed if more are idle than are kept; if empty, none is tested, and those are closed at
   *     once
   */
  ConnectionPool(
      Connector connector,
      int partition,
      AtomicLong breaks,
      Size size,
      Optional<Duration> validateAfter) {
    this.connector = connector;
    this.partition = partition;
    this.breaks = breaks;
    this.size = size;
    this.validateAfter = validateAfter;
    this.permits = new Permits(size.limit(), connector.describe());
  }

  /**
   * Does the work with a connection that is used by no other thread meanwhile.
   *
   * @throws BackendFailure if no connection is free by the deadline, or if the work fails
   */
  <T extends @Nullable Object> T call(Deadline deadline, Work<T> work) {
    permits.acquire(deadline);
    try {
      ServerConnection connection = take(deadline);
      connection.begin();
      T result;
      try {
        result = work.on(connection);
      } catch (JedisException e) {
        throw failed(connection, e);
      } catch (RuntimeException | Error e) {
        connection.close();
        throw e;
      }
      giveBack(connection);
      return result;
    } finally {
      permits.release();
    }
  }

  private RuntimeException failed(ServerConnection connection, JedisException e) {
    if (RedisErrors.isConnectionUnusable(e)) {
      if (!isClosedByInterrupt(e)) {
        breaks.incrementAndGet();
      }
      connection.close();
    } else {
      giveBack(connection);
    }
    RuntimeException failure =
        RedisErrors.failure(
            connector.describe(), e, connection.hasSent() ? Effect.UNKNOWN : Effect.NONE);
    return connection.wasAnswered() ? BackendFailure.halfway(failure) : failure;
  }

  /** The socket of a virtual thread is closed then: that says nothing of the others. */
  private static boolean isClosedByInterrupt(JedisException e) {
    return e.getCause() instanceof SocketException && Thread.currentThread().isInterrupted();
  }

  private ServerConnection take(Deadline deadline) {
    if (closed) {
      throw new BackendFailure(
          Effect.NONE, "The backend for %s is closed.".formatted(connector.describe()), null);
    }
    if (deadline.hasPassed()) {
      throw new BackendFailure(
          Effect.NONE,
          "The deadline of a call to %s passed before it began.".formatted(connector.describe()),
          null);
    }
    for (@Nullable ServerConnection connection = idle.pollFirst();
        connection != null;
        connection = idle.pollFirst()) {
      if (connection.breaks() == breaks.get() && isAlive(connection, deadline)) {
        return connection;
      }
      connection.close();
    }
    return connector.open(partition, breaks.get(), deadline);
  }

  /**
   * Tests a connection that was idle for long: a firewall may have forgotten it without a word. The
   * others were idle as long, so one that is silent counts as broken.
   */
  private boolean isAlive(ServerConnection connection, Deadline deadline) {
    if (validateAfter.isEmpty() || !isIdleForLong(connection)) {
      return true;
    }
    Duration half = deadline.remaining().dividedBy(2);
    boolean answers =
        connection.answers(Deadline.in(half.compareTo(ANSWER_MAX) < 0 ? half : ANSWER_MAX));
    if (!answers) {
      breaks.incrementAndGet();
    }
    return answers;
  }

  private void giveBack(ServerConnection connection) {
    connection.heard();
    idle.addFirst(connection);
    if (closed) {
      closeIdle();
    } else {
      closeSpare();
    }
  }

  /** Closes those that more calls at once have needed, and that none has needed for long. */
  void closeSpare() {
    while (idle.size() > size.kept()) {
      @Nullable ServerConnection oldest = idle.peekLast();
      if (oldest == null || !isIdleForLong(oldest)) {
        return;
      }
      if (idle.removeLastOccurrence(oldest)) { // Else a call has taken it just now.
        oldest.close();
      }
    }
  }

  private boolean isIdleForLong(ServerConnection connection) {
    return connection.idleNanos() >= validateAfter.orElse(Duration.ZERO).toNanos();
  }

  private void closeIdle() {
    for (@Nullable ServerConnection connection = idle.pollFirst();
        connection != null;
        connection = idle.pollFirst()) {
      connection.close();
    }
  }

  /** Closes idle connections now, and those in use as soon as they are given back. */
  @Override
  public void close() {
    closed = true;
    closeIdle();
  }
}
