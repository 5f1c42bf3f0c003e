package io.holdfast.redis.connection;

import io.holdfast.error.BackendUnusableException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisAccessControlException;

/**
 * A subscription over a connection of its own, which is broken to end it: it may be silent. It is
 * asked for a sign of life before, as one of a pool may have been idle for long: whoever subscribes
 * waits without a limit.
 */
final class ConnectionSubscription implements RedisClient.Subscription {

  private final String server;
  private final Supplier<Connection> connect;
  private final BinaryJedisPubSub reader;
  private final byte[] channel;
  private volatile @Nullable Connection connection;
  private volatile boolean over;

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
      connection = made;
      return read(made);
    }
  }

  private Optional<BackendUnusableException> read(Connection made) {
    try {
      if (!over && made.ping()) {
        reader.proceed(made, channel);
      }
      return Optional.empty();
    } catch (JedisAccessControlException e) {
      return Optional.of(RedisErrors.lackOfPermission(server, e).orElseThrow(() -> e));
    }
  }

  @Override
  public void close() {
    over = true;
    @Nullable Connection made = connection;
    if (made != null) {
      made.disconnect();
    }
  }
}
