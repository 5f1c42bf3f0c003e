package io.holdfast.redis.connection;

import io.holdfast.error.BackendUnusableException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisAccessControlException;

/**
 * A subscription over a connection of its own, which is broken to end it: it may be silent. It is
 * asked for a sign of life before, as one of a pool may have been idle for long: a thread that
 * subscribes waits without a limit. It may be given back to that pool afterwards: from then on it
 * belongs to another user, and is not broken any more.
 */
final class ConnectionSubscription implements RedisClient.Subscription {

  private final String server;
  private final Supplier<Connection> connect;
  private final BinaryJedisPubSub reader;
  private final byte[] channel;

  /** Guards what follows. */
  private final Object lock = new Object();

  /** The connection while it is this subscription's. */
  private Optional<Connection> attached = Optional.empty();

  private boolean over;

  /** When the server was asked for it; empty if it was not, or has confirmed it. */
  private OptionalLong askedAtNanos = OptionalLong.empty();

  ConnectionSubscription(
      String server, Supplier<Connection> connect, BinaryJedisPubSub reader, byte[] channel) {
    this.server = server;
    this.connect = connect;
    this.reader = reader;
    this.channel = channel;
  }

  @Override
  public Optional<BackendUnusableException> run() {
    try (Connection made = connect.get()) {
      try {
        return attach(made) ? read(made) : Optional.empty();
      } catch (RuntimeException | Error e) {
        made.setBroken(); // Answers that were not read may be left in it.
        throw e;
      } finally {
        detach(made);
      }
    }
  }

  /** Returns whether the connection is to be used: the subscription may be over already. */
  private boolean attach(Connection made) {
    synchronized (lock) {
      attached = Optional.of(made);
      return !over;
    }
  }

  /** From now on others may use the connection, but not if it would bring them hints. */
  private void detach(Connection made) {
    boolean closed;
    synchronized (lock) {
      attached = Optional.empty();
      closed = over;
    }
    // One that was closed may have been made again by jedis, without its login.
    if (closed || reader.isSubscribed()) {
      made.setBroken();
    }
  }

  private Optional<BackendUnusableException> read(Connection made) {
    try {
      if (made.ping() && asks()) {
        reader.proceed(made, channel);
      }
      return Optional.empty();
    } catch (JedisAccessControlException e) {
      return Optional.of(RedisErrors.lackOfPermission(server, e).orElseThrow(() -> e));
    }
  }

  /** Returns whether the server is asked for it now: it may be over already. */
  private boolean asks() {
    synchronized (lock) {
      askedAtNanos = OptionalLong.of(System.nanoTime());
      return !over;
    }
  }

  @Override
  public boolean isUnconfirmedFor(Duration time) {
    synchronized (lock) {
      return askedAtNanos.isPresent()
          && System.nanoTime() - askedAtNanos.getAsLong() > time.toNanos();
    }
  }

  /** jedis connects again by itself what was closed before it subscribes. */
  @Override
  public boolean made() {
    synchronized (lock) {
      askedAtNanos = OptionalLong.empty();
      if (over) {
        attached.ifPresent(Connection::disconnect);
      }
      return !over;
    }
  }

  @Override
  public void ping() {
    synchronized (lock) {
      if (!over && attached.isPresent()) {
        reader.ping();
      }
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      over = true;
      attached.ifPresent(Connection::disconnect); // In here, so that it is not given back before.
    }
  }
}
