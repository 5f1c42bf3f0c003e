package io.holdfast.redis;

import io.holdfast.SessionId;
import io.holdfast.redis.connection.RedisUri;
import io.holdfast.redis.script.KeyNames;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.faults.Invocation;
import io.holdfast.tck.faults.Verb;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/** A namespace of a test, its backends, and a way to its keys past them. */
public final class RedisNamespace implements AutoCloseable {

  private static final AtomicLong SERIALS = new AtomicLong();

  private final String prefix = "test" + SERIALS.incrementAndGet();
  private final String address;
  private final Supplier<UnifiedJedis> keys;
  private final List<LockBackend> backends = new ArrayList<>();

  private final Object guard = new Object();
  private boolean guardEnded;

  private RedisNamespace(String address, Supplier<UnifiedJedis> keys) {
    this.address = address;
    this.keys = keys;
  }

  public static RedisNamespace on(RedisServer server) {
    return new RedisNamespace(server.uri(), () -> new JedisPooled("127.0.0.1", server.port()));
  }

  public static RedisNamespace on(RedisCluster cluster) {
    return new RedisNamespace(
        "redis-cluster://" + cluster.addresses(),
        () -> new JedisCluster(new HostAndPort("127.0.0.1", cluster.nodes().get(0).port())));
  }

  public static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20));
  }

  public String prefix() {
    return prefix;
  }

  public String uri() {
    return address + "?prefix=" + prefix;
  }

  /** Returns the URI through another port than the server's. */
  public String uri(int port) {
    return uri().replaceFirst(":[0-9]+\\?", ":" + port + "?");
  }

  /** Returns the name of a key in the first partition. */
  public String key(String name) {
    return "{%s:0}:%s".formatted(prefix, name);
  }

  public LockBackend backend() {
    return backend(BackendOptions.DEFAULTS);
  }

  public LockBackend backend(BackendOptions options) {
    return backend(options, () -> {});
  }

  /** Returns a backend with something that is done before each script. */
  public LockBackend backend(BackendOptions options, Runnable beforeScript) {
    return backend(uri(), options, beforeScript);
  }

  /** Returns a backend of the same namespace as another server has it. */
  public LockBackend backend(RedisServer other, String parameters) {
    return backend(other.uri() + "?prefix=" + prefix + parameters);
  }

  /** Returns a backend of the namespace that a URI names. */
  public LockBackend backend(String uri) {
    return backend(uri, BackendOptions.DEFAULTS, () -> {});
  }

  public LockBackend backend(String uri, BackendOptions options, Runnable beforeScript) {
    LockBackend backend =
        RedisLockBackend.connect(RedisUri.of(uri), settings(beforeScript), options, soon());
    backends.add(backend);
    return backend;
  }

  /** Returns a backend over an application's client, which is closed by the application. */
  public LockBackend backend(UnifiedJedis jedis, BackendOptions options, Runnable beforeScript) {
    return RedisLockBackend.over(
        jedis, new KeyNames(prefix), settings(beforeScript), options, soon());
  }

  private static RedisSettings settings(Runnable beforeScript) {
    return RedisSettings.standard().beforeScript(beforeScript);
  }

  /**
   * Returns a backend without a restart guard, as for a server that has been up for long. A new
   * namespace on a server just started may be the rest of a loss, and has a restart guard.
   */
  public LockBackend backendOfOldServer() {
    return backendOfOldServer(uri(), BackendOptions.DEFAULTS, () -> {});
  }

  public LockBackend backendOfOldServer(String uri, BackendOptions options, Runnable beforeScript) {
    return ofOldServer(backend(uri, options, beforeScript));
  }

  /** Returns the same backend, for which the server has run for long. */
  public LockBackend ofOldServer(LockBackend backend) {
    return new OfOldServer(backend);
  }

  private final class OfOldServer extends InterceptedBackend implements ResumableSessions {

    OfOldServer(LockBackend backend) {
      super(backend);
    }

    @Override
    protected Object intercept(Verb verb, Invocation call) {
      Object answer = call.proceed();
      if (verb == Verb.OPEN) {
        endFirstGuard();
      }
      return answer;
    }

    @Override
    public Optional<Resumed> resume(SessionId session, Deadline deadline) {
      return ((ResumableSessions) target()).resume(session, deadline);
    }
  }

  /** Others that have opened a session meanwhile wait until the guard has ended for them too. */
  private void endFirstGuard() {
    synchronized (guard) {
      if (!guardEnded) {
        endGuard();
        guardEnded = true;
      }
    }
  }

  /** Ends the restart guard. */
  public void endGuard() {
    try (UnifiedJedis jedis = keys.get()) {
      jedis.hset(key("namespace"), "guard", "0");
    }
  }

  /** Deletes all keys, on one server. It is no loss to those for whom it has run for long. */
  public void wipe() {
    try (UnifiedJedis jedis = keys.get()) {
      jedis.del(keys(jedis, "{%s:*".formatted(prefix)).toArray(new String[0]));
    }
    synchronized (guard) {
      guardEnded = false;
    }
  }

  /** Makes all that was done seem to have been done so much later, or earlier. */
  public void moveTimes(Duration by) {
    long micros = by.toNanos() / 1_000;
    try (UnifiedJedis jedis = keys.get()) {
      move(jedis, key("namespace"), "guard", micros);
      move(jedis, key("namespace"), "began", micros);
      for (String lock : keys(jedis, key("lock:*"))) {
        StoredLock.move(jedis, lock, micros);
      }
      for (String entries : keys(jedis, key("entries:*"))) {
        StoredLock.moveEntries(jedis, entries, micros);
      }
      for (String session : keys(jedis, key("session:*"))) {
        move(jedis, session, "renewed", micros);
        StoredLock.moveNotices(jedis, session, micros);
        jedis.pexpire(session, Math.max(1, jedis.pttl(session) + by.toMillis()));
      }
    }
  }

  private static void move(UnifiedJedis jedis, String key, String field, long micros) {
    String value = jedis.hget(key, field);
    if (value != null) {
      jedis.hset(key, field, StoredLock.moved(value, micros));
    }
  }

  /** Returns the keys that fit a pattern. */
  public static List<String> keys(UnifiedJedis jedis, String pattern) {
    List<String> keys = new ArrayList<>();
    String cursor = ScanParams.SCAN_POINTER_START;
    do {
      ScanResult<String> page = jedis.scan(cursor, new ScanParams().match(pattern).count(1_000));
      keys.addAll(page.getResult());
      cursor = page.getCursor();
    } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
    return keys;
  }

  @Override
  public void close() {
    backends.forEach(LockBackend::close);
  }
}
