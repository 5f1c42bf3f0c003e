package io.holdfast.redis.kit;

import io.holdfast.redis.RedisNamespace;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.UnifiedJedis;

/**
 * A namespace whose keys are made to look as after a restart or a loss of the server, which goes on
 * for all others that use it. Its clients may send other scripts than they should.
 */
public final class ImitatedStore extends RedisTckStore implements RestartControl, FailOverControl {

  private static final int CONNECTIONS_MAX = 32;

  /** What must come to be does not in a mutant; nobody need wait for it for long. */
  private static final Duration LONG_WAIT_OF_CHANGED = Duration.ofSeconds(3);

  private static final Duration LONG_WAIT_OF_SPOILED = Duration.ofSeconds(6);

  private final RedisServer server;
  private final RewritingJedis jedis;
  private final boolean isChanged;
  private final Duration longWait;
  private boolean lossy;

  private ImitatedStore(
      RedisServer server, boolean isChanged, Duration longWait, UnaryOperator<String> change) {
    super(RedisNamespace.on(server));
    this.server = server;
    this.isChanged = isChanged;
    this.longWait = longWait;
    this.jedis = new RewritingJedis(server.port(), CONNECTIONS_MAX, change);
  }

  public static ImitatedStore asItIs(RedisServer server) {
    return new ImitatedStore(server, false, Duration.ofSeconds(30), UnaryOperator.identity());
  }

  /** For a mutant that is put around it. */
  public static ImitatedStore toBeSpoiled(RedisServer server) {
    return new ImitatedStore(server, false, LONG_WAIT_OF_SPOILED, UnaryOperator.identity());
  }

  public static ImitatedStore changed(RedisServer server, UnaryOperator<String> change) {
    return new ImitatedStore(server, true, LONG_WAIT_OF_CHANGED, change);
  }

  @Override
  public Duration longWait() {
    return longWait;
  }

  @Override
  public LockBackend connect(BackendOptions options, Runnable beforeStep) {
    LockBackend backend =
        isChanged
            ? namespace().backend(jedis, options, beforeStep)
            : namespace().backend(options, beforeStep);
    return lossy ? backend : namespace().ofOldServer(backend);
  }

  private List<String> keys(UnifiedJedis past) {
    return RedisNamespace.keys(past, namespace().key("*"));
  }

  /** What was written before is of another incarnation, which this one goes on from. */
  @Override
  public void restartLosingNothing() {
    try (JedisPooled past = new JedisPooled("127.0.0.1", server.port())) {
      past.eval(
          "local time = redis.call('TIME')"
              + " redis.call('HSET', KEYS[1], 'began', time[1] .. string.format('%06d', time[2]))",
          1, namespace().key("namespace"));
      for (String session : RedisNamespace.keys(past, namespace().key("session:*"))) {
        past.hset(session, "incarnation", "former");
      }
    }
  }

  /** The last writes are gone, and the server is none that is known. */
  @Override
  public void failOverLosing(Runnable lastWrites) {
    lossy = true;
    try (JedisPooled past = new JedisPooled("127.0.0.1", server.port())) {
      Map<String, byte[]> kept = new LinkedHashMap<>();
      keys(past).forEach(key -> kept.put(key, past.dump(key)));
      lastWrites.run();
      past.del(keys(past).toArray(new String[0]));
      kept.forEach((key, value) -> past.restore(key, 0, value));
      past.hset(namespace().key("namespace"), Map.of("incarnation", "former", "durable", "0"));
      past.hdel(namespace().key("namespace"), "replid");
    }
  }

  @Override
  public void loseEverything() {
    throw new NotApplicableException("Only its keys are made to look as after a loss.");
  }

  @Override
  public void close() {
    super.close();
    jedis.close();
  }
}
