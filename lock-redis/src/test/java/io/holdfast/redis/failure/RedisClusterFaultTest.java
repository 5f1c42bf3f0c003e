package io.holdfast.redis.failure;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.RedisNamespace;
import io.holdfast.redis.Requests;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;

/** A master of a cluster is replaced by its replica, or gives away the slot of a namespace. */
@Tag("server")
public class RedisClusterFaultTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration MAX_TTL = Duration.ofSeconds(8);

  /** Much shorter, and yet no lease of it runs out on a slow machine before it is looked at. */
  private static final Duration SHORT_TTL = Duration.ofSeconds(2);

  private static final int PARTITIONS = 8;

  private RedisCluster cluster;
  private RedisNamespace namespace;

  @BeforeEach
  public void startCluster() {
    cluster = RedisCluster.launch(1);
    RedisServer replicated = cluster.nodes().get(0);
    namespace =
        Stream.generate(() -> RedisNamespace.on(cluster))
            .filter(each -> cluster.master(each.key("namespace")).equals(replicated))
            .findFirst()
            .orElseThrow();
  }

  @AfterEach
  public void stopCluster() {
    namespace.close();
    cluster.close();
  }

  private LockClient client(Duration ttl, String parameters) {
    return Holdfast.builder().maxTtl(MAX_TTL).defaultTtl(ttl).connect(namespace.uri() + parameters);
  }

  /** The holder's TTL is longer than that of the waiter and of the newcomer. */
  private void nobodyIsLetInBesideAHolderThatBelievesAfter(Runnable fault) {
    try (LockClient one = client(MAX_TTL, "");
        LockClient other = client(SHORT_TTL, "")) {
      // given
      Grant held = one.lock("a").acquire(TIMEOUT);
      CompletableFuture<Grant> waits = acquiring(other, held);
      await()
          .atMost(TIMEOUT)
          .ignoreException(BackendUnreachableException.class)
          .until(() -> one.find("a").orElseThrow().waiters().size() == 1);

      // when
      fault.run();

      // then
      try (Grant next = waits.join()) {
        assertThat(next.token().value()).isGreaterThan(held.token().value());
        next.check();
      }
      try (LockClient later = client(SHORT_TTL, "");
          Grant last = acquiring(later, held).join()) {
        last.check();
      }
    }
  }

  private static CompletableFuture<Grant> acquiring(LockClient client, Grant held) {
    return CompletableFuture.supplyAsync(
        () -> {
          Grant grant = client.lock("a").acquire(TIMEOUT);
          assertThat(held.isHeld()).isFalse();
          return grant;
        });
  }

  @Test
  public void afterAFailOverNobodyIsLetInBesideAHolderThatBelieves() {
    nobodyIsLetInBesideAHolderThatBelievesAfter(() -> cluster.failOver(namespace.key("namespace")));
  }

  @Test
  public void afterAMoveOfTheSlotNobodyIsLetInBesideAHolderThatBelieves() {
    nobodyIsLetInBesideAHolderThatBelievesAfter(
        () -> cluster.beginMove(namespace.key("namespace")).finish());
  }

  /** The others' slots are where they were, and so are their sessions. */
  @Test
  public void aFailOverConcernsThePartitionsOfItsMasterOnly() {
    // given
    LockBackend backend =
        namespace.backend(
            new BackendOptions(
                new NamespaceWish(OptionalInt.of(PARTITIONS), Optional.empty(), Optional.empty()),
                RestartGuard.ON));
    List<SessionId> sessions =
        IntStream.range(0, PARTITIONS).mapToObj(each -> session(backend, each)).toList();
    RedisServer failing = cluster.master(namespace.key("namespace"));
    List<Integer> concerned =
        IntStream.range(0, PARTITIONS)
            .filter(each -> cluster.master(partition(each)).equals(failing))
            .boxed()
            .toList();
    assertThat(concerned).isNotEmpty().hasSizeLessThan(PARTITIONS);

    // when
    cluster.failOver(namespace.key("namespace"));

    // then
    for (int each = 0; each < PARTITIONS; each++) {
      SessionId session = sessions.get(each);
      assertThat(answered(() -> backend.renew(session, soon())) instanceof Renewed.Over)
          .isEqualTo(concerned.contains(each));
    }
  }

  private String partition(int number) {
    return namespace.key("namespace").replace(":0}", ":" + number + "}");
  }

  /** Earlier connections fail once, and all slots are closed until the fail-over is known. */
  private static Renewed answered(java.util.concurrent.Callable<Renewed> renewal) {
    return await().atMost(TIMEOUT).ignoreExceptions().until(renewal, answer -> true);
  }

  @Test
  public void theNodeThatWasReplacedLeadsToItsSuccessor() {
    RedisServer replaced = cluster.master(namespace.key("namespace"));
    cluster.failOver(namespace.key("namespace"));
    replaced.start();
    await("the node to learn that it was replaced")
        .atMost(TIMEOUT)
        .until(() -> replaced.command("EXISTS", namespace.key("namespace")).contains("MOVED"));

    String uri = "redis-cluster://127.0.0.1:" + replaced.port() + "?prefix=" + namespace.prefix();
    LockBackend backend = namespace.backend(uri);

    assertThat(session(backend)).isNotNull();
  }

  /** Half of the namespace is here and half there: no answer is worth anything. */
  @Test
  public void whileASlotMovesNobodyIsGrantedWhatSomebodyHolds() {
    LockBackend own = namespace.backend();
    whileASlotMovesNobodyIsGrantedWhatSomebodyHolds(own);
  }

  /** This one goes wherever the cluster sends it, also in the middle of a move. */
  @Test
  public void whileASlotMovesTheApplicationsClientGrantsNobodyWhatSomebodyHolds() {
    try (JedisCluster jedis =
            new JedisCluster(new HostAndPort("127.0.0.1", cluster.nodes().get(1).port()));
        LockBackend given =
            RedisLocks.on(jedis, namespace.prefix()).connect(BackendOptions.DEFAULTS, soon())) {
      whileASlotMovesNobodyIsGrantedWhatSomebodyHolds(given);
    }
  }

  private void whileASlotMovesNobodyIsGrantedWhatSomebodyHolds(LockBackend backend) {
    // given
    SessionId holder = session(backend);
    SessionId other = session(backend);
    namespace.endGuard();
    Request held = request(holder, "a", IfHeld.REFUSE);
    long number = take(backend, held).number();
    RedisCluster.Move move = cluster.beginMove(namespace.key("namespace"));

    // when, then: no key has moved yet, and new keys are refused
    assertThat(backend.renew(holder, soon())).isInstanceOf(Renewed.Alive.class);
    assertThat(granted(backend, request(other, "a", IfHeld.REFUSE))).isFalse();
    assertThatThrownBy(() -> backend.grab(request(other, "b", IfHeld.REFUSE), soon()))
        .isInstanceOf(BackendFailure.class);

    // when, then: the lock has moved
    move.take(namespace.key("lock:a"));
    assertThat(granted(backend, request(other, "a", IfHeld.REFUSE))).isFalse();

    // when, then: the namespace has moved, and one that is found there finds no sessions
    move.take(namespace.key("namespace"));
    assertThat(granted(backend, request(other, "a", IfHeld.REFUSE))).isFalse();
    assertThat(granted(backend, request(other, "b", IfHeld.REFUSE))).isFalse();

    // when, then: all has moved
    move.finish();
    assertThat(answered(() -> backend.renew(holder, soon()))).isEqualTo(new Renewed.Over());
    SessionId next = session(backend);
    assertThat(backend.grab(request(next, "a", IfHeld.REFUSE), soon()))
        .isInstanceOf(Attempt.Delayed.class);
    namespace.endGuard();
    assertThat(
            backend.overtake(
                request(next, "a", IfHeld.REFUSE), Requests.observed(held, number), soon()))
        .isInstanceOfSatisfying(
            Attempt.Granted.class, granted -> assertThat(granted.number()).isGreaterThan(number));
  }

  private static boolean granted(LockBackend backend, Request request) {
    try {
      return backend.grab(request, soon()) instanceof Attempt.Granted;
    } catch (BackendFailure e) {
      return false;
    }
  }
}
