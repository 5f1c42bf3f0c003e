package io.holdfast.redis;

import static io.holdfast.redis.RedisNamespace.soon;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.redis.connection.ApplicationClient;
import io.holdfast.redis.script.KeyNames;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.tck.network.Delivery;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.RespFraming;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/**
 * A client that does not show its connections uses that of a subscription again. Nothing that was
 * asked over it may be left unread, and nobody may be sent hints over it.
 */
class RedisGivenBackHintsTest extends RedisServerTestBase {

  private static final Duration LONG = Duration.ofSeconds(60);

  private static final Duration SHORT = Duration.ofMillis(500);

  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private NetworkProxy network;
  private UnifiedJedis jedis;
  private volatile Runnable beforeSubscribing = () -> {};

  @BeforeEach
  void connect() {
    network = NetworkProxy.to(server.port(), RespFraming::new);
    jedis =
        new UnifiedJedis(
            new PooledConnectionProvider(new HostAndPort("127.0.0.1", network.port()))) {
          @Override
          public void subscribe(BinaryJedisPubSub reader, byte[]... channels) {
            beforeSubscribing.run();
            super.subscribe(reader, channels);
          }
        };
  }

  @AfterEach
  void disconnect() {
    jedis.close();
    network.close();
  }

  private RedisHints hints() {
    return new RedisHints(
        new ApplicationClient(jedis, new KeyNames(namespace.prefix())),
        channel(),
        task -> {
          Thread thread = new Thread(task);
          threads.add(thread);
          return thread;
        },
        LONG);
  }

  private byte[] channel() {
    return (namespace.prefix() + ":hints").getBytes(UTF_8);
  }

  private void noThreadIsLeft() {
    await()
        .atMost(LONG)
        .until(() -> !threads.isEmpty() && threads.stream().noneMatch(Thread::isAlive));
  }

  private void eachConnectionAnswersWhatIsAsked() {
    assertThat(server.command("PUBSUB", "CHANNELS")).isEmpty();
    List<CompletableFuture<String>> answers =
        IntStream.range(0, 30).mapToObj(i -> CompletableFuture.supplyAsync(() -> echo(i))).toList();
    for (int i = 0; i < answers.size(); i++) {
      assertThat(answers.get(i).join()).isEqualTo(Integer.toString(i));
    }
  }

  private String echo(int number) {
    return new String((byte[]) jedis.sendCommand(Command.ECHO, Integer.toString(number)), UTF_8);
  }

  /** As a heartbeat does on another thread while the client is closed. */
  @Test
  void noSignOfLifeIsAskedForOnceItIsClosed() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    RedisHints hints = hints();
    hints.listen(SessionId.fresh(), name -> {}, soon());
    network.decide(
        message -> {
          if (message.isAnswer() && message.text().contains("unsubscribe")) {
            join(asked);
          }
          return Delivery.PASS;
        });

    hints.close();
    hints.check();
    asked.countDown();

    noThreadIsLeft();
    eachConnectionAnswersWhatIsAsked();
  }

  private static void join(CountDownLatch asked) {
    try {
      asked.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aListenerThatFailsEndsTheSubscriptionInOrder() throws Exception {
    SessionId session = SessionId.fresh();
    FailingListener listener = new FailingListener();
    try (RedisHints hints = hints()) {
      AutoCloseable unused = hints.listen(session, listener, soon());
      server.command("PUBLISH", new String(channel(), UTF_8), session.value() + "a");
      await().atMost(LONG).until(listener.ended::get);
    }
    noThreadIsLeft();
    eachConnectionAnswersWhatIsAsked();
  }

  @Test
  void oneThatIsClosedBeforeItIsMadeIsGivenBack() {
    RedisHints hints = hints();
    beforeSubscribing = hints::close;

    assertThatThrownBy(() -> hints.listen(SessionId.fresh(), name -> {}, Deadline.in(SHORT)))
        .isInstanceOf(BackendFailure.class);

    noThreadIsLeft();
    eachConnectionAnswersWhatIsAsked();
  }
}
