package io.holdfast.redis;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.FencingToken;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.StaleTokenException;
import io.holdfast.record.LockRecord;
import io.holdfast.redis.connection.RedisUri;
import io.holdfast.spi.BackendFactory;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.tck.adapter.OutageFixture;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisServer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;

/** Three masters that have a third of the slots each. */
@Tag("server")
public class RedisClusterTest {

  private static final int PARTITIONS = 8;
  private static final BackendOptions IN_PARTITIONS =
      new BackendOptions(
          new NamespaceWish(OptionalInt.of(PARTITIONS), Optional.empty(), Optional.empty()),
          RestartGuard.OFF);

  private static RedisCluster cluster;

  @BeforeAll
  public static void startCluster() {
    cluster = RedisCluster.launch(0);
  }

  @AfterAll
  public static void stopCluster() {
    cluster.close();
  }

  private static String uri(String prefix) {
    return "redis-cluster://127.0.0.1:%d?restartGuard=off&prefix=%s"
        .formatted(cluster.nodes().get(0).port(), prefix);
  }

  @Test
  public void theNodesOfAllPartitionsAreFound() {
    try (LockBackend backend = partitioned("spread")) {
      usePartitions(backend);
    }
    Set<Integer> used =
        IntStream.range(0, cluster.nodes().size())
            .filter(i -> !cluster.nodes().get(i).command("KEYS", "{spread:*").isEmpty())
            .boxed()
            .collect(Collectors.toSet());
    assertThat(used).hasSizeGreaterThan(1);
  }

  @Test
  public void theApplicationsClientFindsThemToo() {
    try (JedisCluster jedis =
            new JedisCluster(new HostAndPort("127.0.0.1", cluster.nodes().get(1).port()));
        LockBackend backend = RedisLocks.on(jedis, "given").connect(IN_PARTITIONS, soon())) {
      usePartitions(backend);
    }
  }

  private static void usePartitions(LockBackend backend) {
    List<SessionId> sessions =
        IntStream.range(0, PARTITIONS).mapToObj(p -> session(backend, p)).toList();
    List<String> names = IntStream.range(0, 40).mapToObj(i -> "n%02d".formatted(i)).toList();
    for (String name : names) {
      int partition = backend.partition(new LockName(name));
      take(backend, request(sessions.get(partition), name, IfHeld.REFUSE));
      SessionId elsewhere = sessions.get((partition + 1) % PARTITIONS);
      assertThat(backend.grab(request(elsewhere, name, IfHeld.REFUSE), soon()))
          .isEqualTo(new Attempt.SessionOver());
    }

    assertThat(backend.list("n", Optional.empty(), 25, soon()))
        .extracting(LockRecord::name)
        .extracting(Object::toString)
        .isEqualTo(names.subList(0, 25));
    for (SessionId session : sessions) {
      assertThat(backend.renew(session, soon())).isInstanceOf(Renewed.Alive.class);
      assertThat(backend.end(session, EndIf.LAPSED, soon())).isEqualTo(Ended.ALIVE);
      assertThat(backend.end(session, EndIf.CLOSED, soon())).isEqualTo(Ended.OVER);
      assertThat(backend.renew(session, soon())).isEqualTo(new Renewed.Over());
    }
  }

  @Test
  public void sessionsAreResumedInWhateverPartitionTheyAre() {
    List<SessionId> sessions;
    try (LockBackend before = partitioned("resumed")) {
      sessions = IntStream.range(0, PARTITIONS).mapToObj(p -> session(before, p)).toList();
      for (int i = 0; i < 40; i++) {
        LockName name = new LockName("n" + i);
        take(before, request(sessions.get(before.partition(name)), "n" + i, IfHeld.REFUSE));
      }
    }
    try (LockBackend after = partitioned("resumed")) {
      int found = 0;
      for (int partition = 0; partition < PARTITIONS; partition++) {
        SessionId session = sessions.get(partition);
        Resumed resumed = ((ResumableSessions) after).resume(session, soon()).orElseThrow();
        assertThat(resumed.requests())
            .extracting(key -> after.partition(key.name()))
            .containsOnly(partition);
        assertThat(after.renew(session, soon())).isInstanceOf(Renewed.Alive.class);
        found += resumed.requests().size();
      }
      assertThat(found).isEqualTo(40);
    }
  }

  /** As a master that came back empty while the others kept what they had. */
  @Test
  public void whoComesAfterTheLossOfTheFirstPartitionFindsOutFromAnother() {
    String key = "{beheaded:0}:namespace";
    LockName name = new LockName("a");
    try (LockBackend before = partitioned("beheaded");
        JedisCluster jedis =
            new JedisCluster(new HostAndPort("127.0.0.1", cluster.nodes().get(1).port()))) {
      int partition = before.partition(name);
      assertThat(partition).isNotZero();
      take(before, request(session(before, partition), "a", IfHeld.REFUSE));
      jedis.del(key);

      List<BackendFactory> ways =
          List.of(RedisLocks.on(jedis, "beheaded"), RedisClusterTest::withoutAWish);
      for (BackendFactory way : ways) {
        try (LockBackend after =
            way.connect(new BackendOptions(NamespaceWish.NONE, RestartGuard.OFF), soon())) {
          assertThat(after.partition(name)).isEqualTo(partition);
          assertThat(after.grab(request(session(after, partition), "a", IfHeld.REFUSE), soon()))
              .isInstanceOf(Attempt.Refused.class);
        }
        assertThat(jedis.hget(key, "partitions")).isEqualTo(Integer.toString(PARTITIONS));
        jedis.del(key);
      }
    }
  }

  private static LockBackend withoutAWish(BackendOptions options, Deadline deadline) {
    return RedisLockBackend.connect(
        RedisUri.of(uri("beheaded")), RedisSettings.standard(), options, deadline);
  }

  private static LockBackend partitioned(String prefix) {
    return RedisLockBackend.connect(
        RedisUri.of(uri(prefix)), RedisSettings.standard(), IN_PARTITIONS, soon());
  }

  @Test
  public void aFenceIsInTheSlotOfTheKeysThatItGuards() {
    try (JedisCluster jedis =
        new JedisCluster(new HostAndPort("127.0.0.1", cluster.nodes().get(1).port()))) {
      RedisFencing fencing = new RedisFencing(jedis, "{shop}:fence:");
      String write = "return redis.call('SET', KEYS[1], ARGV[1])";
      List<String> keys = List.of("{shop}:orders:42");
      fencing.eval(holder(2), write, keys, List.of("shipped"));

      assertThatThrownBy(() -> fencing.eval(holder(1), write, keys, List.of("stale")))
          .isInstanceOf(StaleTokenException.class);

      assertThat(jedis.get("{shop}:orders:42")).isEqualTo("shipped");
    }
  }

  private static Sequencer holder(long number) {
    return new Sequencer(new LockName("orders/42"), LockMode.EXCLUSIVE, FencingToken.of(number, 0));
  }

  @Test
  public void hintsReachWaitersThatListenAtAnotherNode() {
    OutageFixture clients = () -> uri("hints");
    clients.holdAndWaitOver(() -> {});
  }

  @Test
  public void aUriOfASingleServerIsRefused() {
    // One node has the namespace, and the others redirect.
    assertThatThrownBy(
            () -> {
              for (RedisServer node : cluster.nodes()) {
                new RedisLockProvider()
                    .connect(node.uri(), BackendOptions.DEFAULTS, soon())
                    .close();
              }
            })
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("redis-cluster://");
  }
}
