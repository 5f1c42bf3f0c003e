package io.holdfast.redis;

import static io.holdfast.redis.RedisNamespace.soon;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.redis.connection.ApplicationClient;
import io.holdfast.redis.connection.OwnClient;
import io.holdfast.redis.connection.RedisClient;
import io.holdfast.redis.connection.RedisUri;
import io.holdfast.redis.script.KeyNames;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.HintListener;
import io.holdfast.tck.network.Delivery;
import io.holdfast.tck.network.Direction;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.RespFraming;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** The network forgets the connection of a subscription, and tells nobody; new ones pass. */
class RedisSilentHintsTest extends RedisServerTestBase {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration SILENCE = Duration.ofMillis(300);

  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private NetworkProxy network;

  @BeforeEach
  void startNetwork() {
    network = NetworkProxy.to(server.port(), RespFraming::new);
  }

  @AfterEach
  void stopNetwork() {
    network.close();
  }

  private static final class Heard implements HintListener {
    private final Queue<LockName> names = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean ended = new AtomicBoolean();

    @Override
    public void accept(LockName name) {
      names.add(name);
    }

    @Override
    public void ended() {
      ended.set(true);
    }
  }

  /** Whoever listens is told that hints have ended, and is heard when it listens again. */
  private void isGivenUp(RedisClient redis) throws Exception {
    byte[] channel = (namespace.prefix() + ":hints").getBytes(UTF_8);
    SessionId session = SessionId.fresh();
    Heard before = new Heard();
    Heard after = new Heard();
    try (RedisHints hints = new RedisHints(redis, channel, this::thread, SILENCE);
        AutoCloseable listening = hints.listen(session, before, soon())) {
      network.swallow(Direction.TO_SERVER);
      network.swallow(Direction.TO_CLIENT);

      await()
          .atMost(TIMEOUT)
          .until(
              () -> {
                hints.check(); // As each heartbeat does.
                return before.ended.get();
              });

      try (AutoCloseable again = hints.listen(session, after, soon())) {
        server.command("PUBLISH", new String(channel, UTF_8), session.value() + "a");
        await().atMost(TIMEOUT).until(() -> after.names.contains(new LockName("a")));
      }
    }
  }

  /** What the network forgets is the first request for a subscription. */
  private void isAskedForAgain(RedisClient redis) throws Exception {
    AtomicBoolean forgotten = new AtomicBoolean();
    network.decide(
        message ->
            message.isRequest()
                    && message.text().contains("SUBSCRIBE")
                    && forgotten.compareAndSet(false, true)
                ? Delivery.LOSE
                : Delivery.PASS);
    byte[] channel = (namespace.prefix() + ":hints").getBytes(UTF_8);
    try (RedisHints hints = new RedisHints(redis, channel, this::thread, SILENCE)) {
      FutureTask<AutoCloseable> listening =
          new FutureTask<>(() -> hints.listen(SessionId.fresh(), new Heard(), soon()));
      new Thread(listening, "listens").start();

      await()
          .atMost(TIMEOUT)
          .until(
              () -> {
                hints.check();
                return listening.isDone();
              });

      assertThat(forgotten).isTrue();
      listening.get().close();
    }
  }

  private Thread thread(Runnable task) {
    Thread thread = new Thread(task);
    threads.add(thread);
    return thread;
  }

  private void noThreadIsLeft() {
    await().atMost(TIMEOUT).until(() -> threads.stream().noneMatch(Thread::isAlive));
  }

  private HostAndPort address() {
    return new HostAndPort("127.0.0.1", network.port());
  }

  private ApplicationClient over(UnifiedJedis jedis) {
    return new ApplicationClient(jedis, new KeyNames(namespace.prefix()));
  }

  @Test
  void ofOurOwnConnections() throws Exception {
    try (OwnClient redis =
        new OwnClient(RedisUri.of(namespace.uri(network.port())), RestartGuard.OFF)) {
      isGivenUp(redis);
    }
    noThreadIsLeft();
  }

  @Test
  void ofAPoolOfTheApplication() throws Exception {
    try (JedisPooled jedis = new JedisPooled(address())) {
      isGivenUp(over(jedis));
      noThreadIsLeft();
      assertThat(jedis.getPool().getNumActive()).isZero();
    }
  }

  @Test
  void ofOurOwnConnectionsBeforeItIsConfirmed() throws Exception {
    try (OwnClient redis =
        new OwnClient(RedisUri.of(namespace.uri(network.port())), RestartGuard.OFF)) {
      isAskedForAgain(redis);
    }
    noThreadIsLeft();
  }

  @Test
  void ofAPoolOfTheApplicationBeforeItIsConfirmed() throws Exception {
    try (JedisPooled jedis = new JedisPooled(address())) {
      isAskedForAgain(over(jedis));
      noThreadIsLeft();
      assertThat(jedis.getPool().getNumActive()).isZero();
    }
  }

  /** Its thread stays until the system gives the connection up. */
  @Test
  void ofAClientThatDoesNotShowItsConnections() throws Exception {
    try (UnifiedJedis jedis = new UnifiedJedis(new PooledConnectionProvider(address()))) {
      isGivenUp(over(jedis));
    }
  }
}
