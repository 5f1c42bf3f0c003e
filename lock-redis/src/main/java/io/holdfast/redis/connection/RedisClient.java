package io.holdfast.redis.connection;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BinaryJedisPubSub;

/** Runs scripts at the server, and subscribes to channels. Thread-safe. */
public interface RedisClient extends AutoCloseable {

  /** The kind of a call, which decides about the connection that it gets. */
  enum CallKind {
    VERB,
    /** Never waits behind calls of the application. */
    HEARTBEAT
  }

  /** A subscription to a channel. */
  interface Subscription extends AutoCloseable {

    /**
     * Subscribes, and delivers messages until it is closed or the connection fails. No exception
     * need come again at the next attempt: a fail-over may be under way.
     *
     * @return the refusal if the user may not subscribe
     */
    Optional<BackendUnusableException> run();

    /**
     * Called by the thread that reads it, when the server has confirmed it.
     *
     * @return false if it was closed before that, and ends now
     */
    boolean made();

    /**
     * Returns whether the server was asked for it so long ago, and has not confirmed it. False if
     * that is not known.
     */
    boolean isUnconfirmedFor(Duration time);

    /** Asks the server for a sign of life, which the reader is told; never once it is closed. */
    void ping();

    /** Ends it, at once if it can: a silent server may keep it for long. */
    @Override
    void close();
  }

  /** Returns the name of the server for messages. */
  String describe();

  /**
   * Runs a script in one round trip, or in two if the server does not have it yet.
   *
   * @param partition the partition of the namespace
   * @param arguments ARGV[4] and those after it
   * @return nested lists of bytes; null if the script returns nothing
   */
  @Nullable Object run(
      Script script, CallKind kind, int partition, List<byte[]> arguments, Deadline deadline);

  /** Returns whether partitions may lie on several servers. */
  boolean isSpread();

  /** Closes the connections for a partition that is not used for now. */
  void leave(int partition);

  /** Returns a subscription to a channel. It begins with {@link Subscription#run}. */
  Subscription subscription(BinaryJedisPubSub reader, byte[] channel);

  @Override
  void close();
}
