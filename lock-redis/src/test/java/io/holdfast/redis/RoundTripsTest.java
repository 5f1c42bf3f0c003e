package io.holdfast.redis;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.observed;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.SessionId;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the server counts: one script is one round trip. */
@Tag("server")
class RoundTripsTest {

  private static final Logger LOG = LoggerFactory.getLogger(RoundTripsTest.class);

  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Duration HEARTBEAT = Duration.ofMillis(500);
  private static final String SCRIPTS = "eval(?:sha)?";
  private static final String HINTS = "publish";

  /** Each test has its own: what clients of another still do is not counted. */
  private RedisServer server;

  @BeforeEach
  void startServer() {
    server = RedisServer.launch();
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  private long scripts() {
    return calls(SCRIPTS);
  }

  private long calls(String command) {
    return Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
        .matcher(server.command("INFO", "commandstats"))
        .results()
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }

  private long count(String verb, Runnable call) {
    long before = scripts();
    call.run();
    long calls = scripts() - before;
    LOG.info("{}: {} script call(s)", verb, calls);
    return calls;
  }

  @Test
  void everyVerbIsOneRoundTrip() {
    try (RedisNamespace namespace = RedisNamespace.on(server)) {
      LockBackend backend = namespace.backendOfOldServer();
      // Once before, to connect and to send the scripts to the server.
      countAll(backend);
      Counts counts = countAll(backend);

      assertThat(counts.open()).isEqualTo(2);
      assertThat(counts.resume()).isEqualTo(3);
      assertThat(counts.others()).containsOnly(1L);
    }
  }

  private record Counts(long open, long resume, List<Long> others) {}

  private Counts countAll(LockBackend backend) {
    SessionId mine = session(backend);
    SessionId other = session(backend);
    Request first = request(mine, "a", IfHeld.QUEUE);
    Request second = request(other, "a", IfHeld.QUEUE);
    Request third = request(other, "a", IfHeld.QUEUE);
    Request refused = request(other, "a", IfHeld.REFUSE);

    List<Long> counts = new ArrayList<>();
    long open = count("open", () -> session(backend));
    counts.add(count("renew", () -> backend.renew(mine, soon())));
    counts.add(count("grab of a free lock", () -> backend.grab(first, soon())));
    counts.add(count("refused grab", () -> backend.grab(refused, soon())));
    counts.add(count("join", () -> backend.grab(second, soon())));
    backend.grab(third, soon());
    long resume = count("resume", () -> ((ResumableSessions) backend).resume(other, soon()));
    counts.add(count("look", () -> backend.look(other, List.of(second.key()), soon())));
    counts.add(count("leave the queue", () -> backend.release(third.name(), third.id(), soon())));
    counts.add(count("hand over", () -> backend.release(first.name(), first.id(), soon())));
    counts.add(count("release", () -> backend.release(second.name(), second.id(), soon())));
    long number = take(backend, refused).number();
    counts.add(count("list", () -> backend.list("", Optional.empty(), 9, soon())));
    counts.add(count("inspect", () -> backend.inspect(first.name(), soon())));
    counts.add(
        count(
            "revoke", () -> backend.revoke(observed(refused, number), RevokeWhen.SAFELY, soon())));
    counts.add(count("acknowledge", () -> backend.acknowledge(refused.id(), soon())));
    counts.add(count("end of a living one", () -> backend.end(mine, EndIf.LAPSED, soon())));
    counts.add(count("end", () -> backend.end(other, EndIf.CLOSED, soon())));
    Request newcomer = request(mine, "a", IfHeld.QUEUE);
    counts.add(
        count("overtake", () -> backend.overtake(newcomer, observed(refused, number), soon())));
    take(backend, newcomer);
    backend.release(newcomer.name(), newcomer.id(), soon());
    return new Counts(open, resume, counts);
  }

  @Test
  void aLockThatNobodyElseWantsIsTwoScripts() {
    int pairs = 50;
    try (RedisNamespace namespace = RedisNamespace.on(server);
        LockClient client = client(namespace)) {
      client.lock("a").acquire(TIMEOUT).release(); // Opens the session.
      awaitQuiet();
      long before = scripts();

      for (int i = 0; i < pairs; i++) {
        client.lock("a").acquire(TIMEOUT).release();
      }

      // And a heartbeat, should the machine be so slow.
      assertThat(scripts() - before).isBetween(2L * pairs, 2L * pairs + pairs / 2);
    }
  }

  @Test
  void aHandOverCostsTheSameHoweverManyWait() {
    long hints = calls(HINTS);
    double few = scriptsPerHandOver(2);
    double some = scriptsPerHandOver(20);
    double many = scriptsPerHandOver(100);

    // A release and a look for each, and the heartbeats meanwhile.
    assertThat(List.of(few, some, many)).allMatch(each -> each < 4);
    // Each has a channel of its own, on which it first tells itself something, and only the next
    // one
    // is told; and each holder, once, that others wait from now on.
    assertThat(calls(HINTS) - hints).isEqualTo(2 * (2 + 20 + 100) + 3);
  }

  @Test
  void aHeartbeatCostsTheSameHoweverManyLocksAreHeld() {
    try (RedisNamespace namespace = RedisNamespace.on(server);
        LockClient client =
            Holdfast.builder()
                .defaultTtl(HEARTBEAT.multipliedBy(20))
                .heartbeat(HEARTBEAT)
                .connect(namespace.uri() + "&restartGuard=off")) {
      for (int i = 0; i < 50; i++) {
        client.lock("n" + i).acquire(TIMEOUT);
      }

      long start = System.nanoTime();
      long before = scripts();
      Awaitility.await().atMost(TIMEOUT).until(() -> scripts() >= before + 10);
      long calls = scripts() - before;
      double heartbeats = (double) (System.nanoTime() - start) / HEARTBEAT.toNanos();

      LOG.info("50 locks held: {} script calls in the time of {} heartbeats", calls, heartbeats);
      // And calls that the client makes once, such as the sweep.
      assertThat((double) calls).isLessThan(heartbeats + 5);
    }
  }

  private double scriptsPerHandOver(int clients) {
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    List<LockClient> waiting = new ArrayList<>();
    try (RedisNamespace namespace = RedisNamespace.on(server);
        LockClient holder = client(namespace)) {
      Grant held = holder.lock("a").acquire(TIMEOUT);
      List<CompletableFuture<Boolean>> done = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        LockClient client = client(namespace);
        waiting.add(client);
        done.add(
            CompletableFuture.supplyAsync(
                () -> {
                  client.lock("a").acquire(TIMEOUT).release();
                  return true;
                },
                threads));
      }
      Awaitility.await()
          .atMost(TIMEOUT)
          .until(() -> holder.find("a").orElseThrow().waiters().size() == clients);
      awaitQuiet();

      long before = scripts();
      held.release();
      done.forEach(CompletableFuture::join);

      double each = (double) (scripts() - before) / (clients + 1);
      LOG.info("{} waiting sessions: {} script calls for each hand-over", clients, each);
      return each;
    } finally {
      waiting.forEach(LockClient::close);
      threads.shutdownNow();
    }
  }

  /** Who has just joined looks once more. */
  private void awaitQuiet() {
    AtomicLong last = new AtomicLong();
    Awaitility.await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(300))
        .until(
            () -> {
              long now = scripts();
              return last.getAndSet(now) == now;
            });
  }

  /** Its heartbeats are so rare that between those of a hundred clients there is quiet. */
  private static LockClient client(RedisNamespace namespace) {
    Duration ttl = Duration.ofHours(1);
    return Holdfast.builder()
        .maxTtl(ttl)
        .defaultTtl(ttl)
        .connect(namespace.uri() + "&restartGuard=off");
  }
}
