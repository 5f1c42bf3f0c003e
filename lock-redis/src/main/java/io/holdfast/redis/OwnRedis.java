package io.holdfast.redis;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Connection;

/** Connections of ours: their lanes are kept apart, and each call ends at its deadline. */
final class OwnRedis implements Redis {

  private static final int VERB_CONNECTIONS = 4;
  private static final int HEARTBEAT_CONNECTIONS = 2;
  private static final Duration SUBSCRIBE_WITHIN = Duration.ofSeconds(5);

  private final Connector connector;
  private final int replicas;
  private final AtomicLong breaks = new AtomicLong();
  private final Map<Integer, Lanes> partitions = new ConcurrentHashMap<>();
  private volatile boolean closed;

  private record Lanes(Links verbs, Links heartbeats) {

    Links of(Lane lane) {
      return lane == Lane.HEARTBEAT ? heartbeats : verbs;
    }

    void close() {
      verbs.close();
      heartbeats.close();
    }
  }

  OwnRedis(RedisUri uri) {
    this.connector = new Connector(uri);
    this.replicas = uri.waitReplicas();
  }

  @Override
  public String describe() {
    return connector.describe();
  }

  private Lanes lanes(int partition) {
    Lanes lanes =
        partitions.computeIfAbsent(
            partition,
            missing ->
                new Lanes(
                    new Links(connector, partition, breaks, VERB_CONNECTIONS),
                    new Links(connector, partition, breaks, HEARTBEAT_CONNECTIONS)));
    if (closed) {
      lanes.close();
    }
    return lanes;
  }

  @Override
  public @Nullable Object run(
      Script script, Lane lane, int partition, List<byte[]> arguments, Deadline deadline) {
    byte[] namespace = connector.namespace(partition);
    int needed = script.countsWhenReplicated() ? replicas : 0;
    Link.Answer answer =
        lanes(partition)
            .of(lane)
            .call(
                deadline,
                link -> {
                  if (lane == Lane.HEARTBEAT) {
                    link.askAboutDisk(deadline);
                  }
                  return link.run(script, namespace, arguments, needed, deadline);
                });
    if (answer.replicas() < needed) {
      throw new BackendFailure(
          Effect.UNKNOWN,
          "%d of %d replicas of %s have acknowledged in time, so the answer does not count."
              .formatted(answer.replicas(), needed, describe()),
          null);
    }
    return answer.value();
  }

  @Override
  public Subscription subscription(BinaryJedisPubSub reader, byte[] channel) {
    return new OwnSubscription(reader, channel);
  }

  private final class OwnSubscription implements Subscription {

    private final BinaryJedisPubSub reader;
    private final byte[] channel;
    private volatile @Nullable Connection connection;
    private volatile boolean over;

    OwnSubscription(BinaryJedisPubSub reader, byte[] channel) {
      this.reader = reader;
      this.channel = channel;
    }

    @Override
    public void run() {
      try (Connection made = connector.connectAnywhere(Deadline.in(SUBSCRIBE_WITHIN))) {
        connection = made;
        if (!over) {
          reader.proceed(made, channel);
        }
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

  @Override
  public void close() {
    closed = true;
    partitions.values().forEach(Lanes::close);
  }
}
