package io.holdfast.redis;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.Permits;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A small fixed number of connections to one partition, opened when they are first needed and kept.
 * When one breaks, those made before are not trusted any more: the server may be another by now.
 */
final class Links implements AutoCloseable {

  private final Connector connector;
  private final int partition;
  private final AtomicLong breaks;
  private final Permits permits;
  private final Deque<Link> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  /** What a verb does with a connection. */
  @FunctionalInterface
  interface Work<T extends @Nullable Object> {
    T on(Link link);
  }

  /**
   * Makes it, without a connection.
   *
   * @param breaks counts the connections that broke, over all partitions
   */
  Links(Connector connector, int partition, AtomicLong breaks, int most) {
    this.connector = connector;
    this.partition = partition;
    this.breaks = breaks;
    this.permits = new Permits(most, connector.describe());
  }

  /**
   * Does the work with a connection that nobody else uses meanwhile.
   *
   * @throws BackendFailure if none is to be had by the deadline, or the work fails so
   */
  <T extends @Nullable Object> T call(Deadline deadline, Work<T> work) {
    permits.acquire(deadline);
    try {
      Link link = take(deadline);
      link.begin();
      T result;
      try {
        result = work.on(link);
      } catch (JedisException e) {
        throw failed(link, e);
      } catch (RuntimeException | Error e) {
        link.close();
        throw e;
      }
      giveBack(link);
      return result;
    } finally {
      permits.release();
    }
  }

  private RuntimeException failed(Link link, JedisException e) {
    if (RedisErrors.isOfNoUse(e)) {
      breaks.incrementAndGet();
      link.close();
    } else {
      giveBack(link);
    }
    RuntimeException failure =
        RedisErrors.failure(connector.describe(), e, link.hasSent() ? Effect.UNKNOWN : Effect.NONE);
    return link.wasAnswered() ? BackendFailure.halfway(failure) : failure;
  }

  private Link take(Deadline deadline) {
    if (closed) {
      throw new BackendFailure(
          Effect.NONE, "The backend for %s is closed.".formatted(connector.describe()), null);
    }
    if (deadline.hasPassed()) {
      throw new BackendFailure(
          Effect.NONE,
          "The time for a call to %s was over before it began.".formatted(connector.describe()),
          null);
    }
    for (@Nullable Link link = idle.pollFirst(); link != null; link = idle.pollFirst()) {
      if (link.breaks() == breaks.get()) {
        return link;
      }
      link.close();
    }
    return connector.open(partition, breaks.get(), deadline);
  }

  private void giveBack(Link link) {
    idle.addFirst(link);
    if (closed) {
      closeIdle();
    }
  }

  private void closeIdle() {
    for (@Nullable Link link = idle.pollFirst(); link != null; link = idle.pollFirst()) {
      link.close();
    }
  }

  /** Closes what is idle now, and what is in use as soon as it is given back. */
  @Override
  public void close() {
    closed = true;
    closeIdle();
  }
}
