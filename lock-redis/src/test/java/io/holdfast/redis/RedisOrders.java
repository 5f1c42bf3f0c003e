package io.holdfast.redis;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.Sequencer;
import io.holdfast.tck.process.client.FencedResource;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.UnifiedJedis;

/** An application's key beside the keys of its locks. Has the example of docs/fencing.md. */
final class RedisOrders implements FencedResource {

  private final String uri;
  private final UnifiedJedis jedis;
  private final RedisFencing fencing;

  RedisOrders(String uri) {
    this(uri, new JedisPooled(URI.create(uri).getHost(), URI.create(uri).getPort()));
  }

  private RedisOrders(String uri, UnifiedJedis jedis) {
    this.uri = uri;
    this.jedis = jedis;
    this.fencing = new RedisFencing(jedis);
  }

  /** Writes for whoever shows a sequencer. */
  void write(Sequencer sequencer, String state) {
    fencing.eval(
        sequencer, // throws StaleTokenException if it is stale
        "return redis.call('SET', KEYS[1], ARGV[1])",
        List.of("orders:42"),
        List.of(state));
  }

  @Override
  public String read() {
    return String.valueOf(jedis.get("orders:42"));
  }

  /** Deletes everything. */
  void clear() {
    jedis.flushAll();
  }

  RedisFencing fencing() {
    return fencing;
  }

  @Override
  public LockClient locks(Duration ttl) {
    return Holdfast.builder().defaultTtl(ttl).withoutRestartGuard().connect(uri);
  }

  @Override
  public Writer writer(Grant grant) {
    return state -> write(grant.sequencer(), state);
  }

  @Override
  public void close() {
    jedis.close();
  }
}
