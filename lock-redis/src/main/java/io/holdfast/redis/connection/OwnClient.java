package io.holdfast.redis.connection;

import io.holdfast.redis.connection.ConnectionPool.Size;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BinaryJedisPubSub;

/**
 * Runs scripts over our own connections. Verbs and heartbeats have separate pools, and each call
 * ends at its deadline.
 */
public final class OwnClient implements RedisClient {

  /** As many as threads that call often: one that waits for another's costs them both a switch. */
  private static final Size VERB_CONNECTIONS = new Size(16, 4);

  /**
   * A client has several sessions, one for each TTL and those that it leaves behind. The renewal of
   * one, which may hang for a quarter of a long TTL, must not keep that of another waiting.
   */
  private static final Size HEARTBEAT_CONNECTIONS = new Size(16, 2);

  private static final Duration VALIDATE_AFTER = Duration.ofSeconds(30);
  private static final Duration SUBSCRIBE_WITHIN = Duration.ofSeconds(5);

  private final Connector connector;
  private final int replicas;
  private final Duration validateAfter;
  private final AtomicLong breaks = new AtomicLong();
  private final Map<Integer, Pools> partitions = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * The connections to the server of a partition.
   *
   * @param namespace the key of the partition's namespace record
   */
  private record Pools(RawArgument namespace, ConnectionPool verbs, ConnectionPool heartbeats) {

    ConnectionPool of(CallKind kind) {
      return kind == CallKind.HEARTBEAT ? heartbeats : verbs;
    }

    void close() {
      verbs.close();
      heartbeats.close();
    }
  }

  /**
   * Makes one.
   *
   * @param guard whether restarts that may have lost grants have to be noticed
   */
  public OwnClient(RedisUri uri, RestartGuard guard) {
    this(uri, Script.ATTACH, guard, VALIDATE_AFTER);
  }

  /** Connects to a namespace of an older layout, too: to retire it. */
  public static OwnClient ofFormer(RedisUri uri) {
    return new OwnClient(uri, Script.ATTACH_FORMER, uri.restartGuard(), VALIDATE_AFTER);
  }

  /**
   * Makes one.
   *
   * @param attach checks a new connection
   * @param validateAfter a verb's connection that was idle for so long is tested before it is used,
   *     or closed if it is one of many
   */
  OwnClient(RedisUri uri, Script attach, RestartGuard guard, Duration validateAfter) {
    this.connector = new Connector(uri, attach, guard);
    this.replicas = uri.waitReplicas();
    this.validateAfter = validateAfter;
  }

  @Override
  public String describe() {
    return connector.describe();
  }

  private Pools pools(int partition) {
    @Nullable Pools present = partitions.get(partition);
    Pools pools = present == null ? partitions.computeIfAbsent(partition, this::make) : present;
    if (closed) {
      pools.close();
    }
    return pools;
  }

  private Pools make(int partition) {
    return new Pools(
        connector.namespace(partition),
        pool(partition, VERB_CONNECTIONS, Optional.of(validateAfter)),
        // A renewal that fails is sent again.
        pool(partition, HEARTBEAT_CONNECTIONS, Optional.empty()));
  }

  private ConnectionPool pool(int partition, Size size, Optional<Duration> validated) {
    return new ConnectionPool(connector, partition, breaks, size, validated);
  }

  @Override
  public @Nullable Object run(
      Script script, CallKind kind, int partition, List<byte[]> arguments, Deadline deadline) {
    int needed = script.countsWhenReplicated() ? replicas : 0;
    Pools pools = pools(partition);
    if (kind == CallKind.HEARTBEAT) {
      pools.verbs().closeSpare(); // Maybe no verb comes for long.
    }
    ServerConnection.Answer answer =
        pools
            .of(kind)
            .call(
                deadline,
                connection -> {
                  if (kind == CallKind.HEARTBEAT) {
                    connection.readDurability(deadline);
                  }
                  return connection.run(script, pools.namespace(), arguments, needed, deadline);
                });
    if (answer.replicas() < needed) {
      throw new BackendFailure(
          Effect.UNKNOWN,
          "Only %s of %s replicas of %s have acknowledged in time, so the answer does not count. Check the replicas."
              .formatted(answer.replicas(), needed, describe()),
          null);
    }
    return answer.value();
  }

  @Override
  public boolean isSpread() {
    return connector.isSpread();
  }

  @Override
  public void leave(int partition) {
    @Nullable Pools pools = partitions.remove(partition);
    if (pools != null) {
      pools.close();
    }
  }

  @Override
  public Subscription subscription(BinaryJedisPubSub reader, byte[] channel) {
    return new ConnectionSubscription(
        describe(),
        () -> connector.connectAnywhere(Deadline.in(SUBSCRIBE_WITHIN)),
        reader,
        channel);
  }

  @Override
  public void close() {
    closed = true;
    partitions.values().forEach(Pools::close);
  }
}
