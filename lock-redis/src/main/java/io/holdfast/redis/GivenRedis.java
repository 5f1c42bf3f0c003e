package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * The client of the application. Its new connections cannot be seen, so each script finds out by
 * itself which life of the server it runs in; and its timeouts and its pool are the application's.
 */
final class GivenRedis implements Redis {

  private static final Logger LOG = LoggerFactory.getLogger(GivenRedis.class);

  private static final byte[] UNKNOWN = {};

  private final UnifiedJedis jedis;
  private final RedisNames names;
  private volatile boolean closed;

  GivenRedis(UnifiedJedis jedis, RedisNames names) {
    this.jedis = jedis;
    this.names = names;
  }

  @Override
  public String describe() {
    return "redis (the application's client, prefix %s)".formatted(names.prefix());
  }

  /** Looks at the server once, as it is done for each connection of ours. */
  void attach(Deadline deadline) {
    Attached attached = Attached.of(run(Script.ATTACH, Lane.VERB, 0, List.of(), deadline));
    attached.requireUsable(describe(), false);
    attached.requireNoEviction(describe());
    attached.tell(LOG, describe());
  }

  @Override
  public @Nullable Object run(
      Script script, Lane lane, int partition, List<byte[]> arguments, Deadline deadline) {
    if (closed || deadline.hasPassed()) {
      throw new BackendFailure(
          Effect.NONE,
          closed
              ? "The backend for %s is closed.".formatted(describe())
              : "The time for a call to %s was over before it began.".formatted(describe()),
          null);
    }
    List<byte[]> keys = List.of(names.namespace(partition));
    List<byte[]> all = new ArrayList<>(List.of(UNKNOWN, Link.flag(false), Link.flag(false)));
    all.addAll(arguments);
    try {
      try {
        return jedis.evalsha(script.sha().getBytes(UTF_8), keys, all);
      } catch (JedisNoScriptException unknown) {
        return jedis.eval(script.text().getBytes(UTF_8), keys, all);
      }
    } catch (JedisException e) {
      throw RedisErrors.failure(describe(), e, Effect.UNKNOWN);
    }
  }

  @Override
  public Subscription subscription(BinaryJedisPubSub reader, byte[] channel) {
    return new Subscription() {
      @Override
      public void run() {
        jedis.subscribe(reader, channel);
      }

      @Override
      public void close() {
        if (reader.isSubscribed()) {
          reader.unsubscribe();
        }
      }
    };
  }

  /** Leaves the client alone: it is the application's. */
  @Override
  public void close() {
    closed = true;
  }
}
