package io.holdfast.redis;

import io.holdfast.spi.Deadline;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BinaryJedisPubSub;

/** The way to the server. Thread-safe. */
interface Redis extends AutoCloseable {

  /** Whether a call may have to wait for others. */
  enum Lane {
    VERB,
    /** Never behind the application's work. */
    HEARTBEAT
  }

  /** A subscription to a channel. */
  interface Subscription extends AutoCloseable {

    /** Subscribes, and passes on what is published until it is closed or the server goes away. */
    void run();

    @Override
    void close();
  }

  /** Returns how it is called in messages. */
  String describe();

  /**
   * Runs a script in one round trip, or two where the server does not know it yet.
   *
   * @param partition in which partition of the namespace
   * @param arguments the script's own
   * @return nested lists of bytes; null for nothing
   */
  @Nullable Object run(
      Script script, Lane lane, int partition, List<byte[]> arguments, Deadline deadline);

  /** Returns a subscription to a channel, not yet made. */
  Subscription subscription(BinaryJedisPubSub reader, byte[] channel);

  @Override
  void close();
}
