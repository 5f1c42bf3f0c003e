package io.holdfast.benchmarks.rungs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.ProcessIdentity;
import io.holdfast.benchmarks.contender.AdapterContender;
import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import io.holdfast.benchmarks.contender.Party;
import io.holdfast.redis.script.KeyNames;
import io.holdfast.spi.LockBackend;
import java.net.URI;
import java.util.List;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.JedisPooled;

/**
 * The two scripts of a step, with Jedis as the limit has it, in a namespace of the ladder's own,
 * which the adapter has made.
 *
 * @param name as in tables
 * @param uri the server, with a query
 */
record RedisRung(String name, String uri, RedisStep step) implements Contender {

  private static final String PREFIX = "rung";
  private static final String PROCESS = ProcessIdentity.ofThisProcess().value();

  /** An exclusive request without a stay, a lock-delay and a reason. */
  private static final String ENTRY_BEGIN =
      "x-" + "0".repeat(48) + "%03d0000".formatted(bytes(PROCESS).length);

  private static final byte[] NOTHING = {};
  private static final byte[] NO = bytes("0");
  private static final byte[] WAITERS = bytes("200");

  @Override
  public Role role() {
    return Role.PEER;
  }

  @Override
  public String settings() {
    return "Jedis, pool of as many connections as threads";
  }

  @Override
  public OpenContender open(int threads) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(threads);
    pool.setMaxIdle(threads);
    URI server = URI.create(uri);
    JedisPooled jedis = new JedisPooled(pool, server.getHost(), server.getPort());
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) {
        return RedisRung.this.pair(jedis, name + "-" + lock);
      }

      @Override
      public void close() {
        jedis.close();
      }
    };
  }

  private LockPair pair(JedisPooled jedis, String lock) {
    String session = session();
    byte[] take = bytes(jedis.scriptLoad(step.take()));
    byte[] leave = bytes(jedis.scriptLoad(step.leave()));
    List<byte[]> namespace = List.of(new KeyNames(PREFIX).namespace(0));
    return new LockPair() {
      private long serial;

      @Override
      public void takeAndGiveBack() {
        String request = session + "-" + ++serial;
        change(jedis, take, namespace, step.hasEntry() ? toGrab(lock, request) : of(lock, request));
        change(jedis, leave, namespace, of(lock, request));
      }
    };
  }

  /** Both scripts answer nothing where they have done nothing. */
  private static void change(
      JedisPooled jedis, byte[] script, List<byte[]> namespace, List<byte[]> arguments) {
    if (jedis.evalsha(script, namespace, arguments) == null) {
      throw new IllegalStateException("Nothing was changed by a script.");
    }
  }

  /** The first three say that no process is known to be durable, and that no replica counts. */
  private static List<byte[]> of(String lock, String request) {
    return List.of(NOTHING, NO, NO, bytes(lock), bytes(request));
  }

  private static List<byte[]> toGrab(String lock, String request) {
    return List.of(
        NOTHING,
        NO,
        NO,
        bytes(lock),
        bytes(request),
        bytes(ENTRY_BEGIN + request + "," + PROCESS),
        NO,
        WAITERS,
        NO);
  }

  /** A session stays when its backend is closed. */
  private String session() {
    try (LockBackend backend = AdapterContender.connect(uri + "&prefix=" + PREFIX)) {
      return new Party(backend).session().value();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
