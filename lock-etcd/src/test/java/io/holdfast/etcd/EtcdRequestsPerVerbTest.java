package io.holdfast.etcd;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Watching;
import io.holdfast.tck.adapter.HandOverCostRules;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Adapter;
import io.holdfast.testing.etcd.EtcdServer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What verbs cost, as the server has counted it. */
@Adapter("etcd")
@Tag("server")
class EtcdRequestsPerVerbTest implements HandOverCostRules {

  private static final Logger LOG = LoggerFactory.getLogger(EtcdRequestsPerVerbTest.class);
  private static final LockName LOCK = new LockName("a");

  private static EtcdServer server;
  private static EtcdRequests requests;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
    requests = new EtcdRequests(server);
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  public LockBackend connect() {
    return new EtcdLockProvider()
        .connect("etcd://" + server.address(), BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @Override
  public Map<String, Long> requestsSinceLast() {
    return requests.sinceLast();
  }

  /** Beside the reads: the streams of changes are there as long as the watch. */
  @Test
  void whereNobodyWatchesNothingIsSent() {
    try (LockBackend backend = connect()) {
      SpiClient mine = SpiClient.open(backend, LONG);
      LockName watched = new LockName("watched");
      Held held = mine.hold(watched);
      requests.sinceLast();

      Watching watching = backend.watch(watched, hinted -> {});
      assertThat(requests.sinceLast()).as("what is sent before the first read").isEmpty();
      long streams = requests.soFar("Watch");
      watching.read(0, StoreFixture.soon());
      // Those of the queue and of the marks begin when the read is over.
      await("two streams")
          .atMost(Duration.ofSeconds(60))
          .until(() -> requests.soFar("Watch") == streams + 2);
      requests.sinceLast();
      assertThat(count("read of a watch", () -> watching.read(0, StoreFixture.soon())))
          .isEqualTo(Map.of("Txn", 1L));
      watching.close();
      requests.sinceLast();
      assertThat(count("renew", mine::renew)).doesNotContainKey("Watch");
      mine.release(held);
      assertThat(withoutKeepAlives(requests.sinceLast()))
          .as("what is sent for a release")
          .isEqualTo(Map.of("Txn", 1L));
    }
  }

  @Test
  void verbsTakeAsManyRequestsAsTheyMay() {
    try (LockBackend backend = connect()) {
      SpiClient mine = SpiClient.open(backend, LONG);
      SpiClient other = SpiClient.open(backend, LONG);
      Request first = mine.waitingRequest(LOCK);
      Request second = other.waitingRequest(LOCK);
      Request refused = other.request(LOCK);
      requests.sinceLast();

      assertThat(count("grab of a free lock", () -> mine.grab(first))).isEqualTo(Map.of("Txn", 1L));
      assertThat(count("refused grab", () -> other.grab(refused))).isEqualTo(Map.of("Txn", 2L));
      assertThat(count("join", () -> other.grab(second))).isEqualTo(Map.of("Txn", 1L));
      assertThat(count("repeated join", () -> other.grab(second))).isEqualTo(Map.of("Txn", 2L));
      assertThat(count("look of a waiter", () -> other.look(second))).isEqualTo(Map.of("Txn", 1L));
      assertThat(count("look of a holder", () -> mine.look(first))).isEqualTo(Map.of("Txn", 1L));
      // jetcd asks twice to keep alive: it ends its stream with a copy of the request.
      assertThat(countWithKeepAlives("renew", mine::renew))
          .containsEntry("Range", 1L)
          .hasEntrySatisfying("LeaseKeepAlive", n -> assertThat(n).isBetween(1L, 2L))
          .hasSize(2);
      assertThat(count("hand over", () -> mine.release(first))).isEqualTo(Map.of("Txn", 1L));
      assertThat(count("look of who was handed the lock", () -> other.look(second)))
          .isEqualTo(Map.of("Txn", 1L));
      assertThat(count("release", () -> other.release(second))).isEqualTo(Map.of("Txn", 1L));
      Held held = mine.hold(LOCK);
      requests.sinceLast();
      assertThat(count("inspect", () -> mine.inspect(LOCK))).isEqualTo(Map.of("Txn", 1L));
      assertThat(
              count(
                  "list", () -> mine.backend().list("", Optional.empty(), 9, StoreFixture.soon())))
          .isEqualTo(Map.of("Range", 1L, "Txn", 1L));
      assertThat(count("revoke", () -> other.revoke(held.observed(), RevokeWhen.SAFELY)))
          .isEqualTo(Map.of("Txn", 3L, "LeaseGrant", 1L));
      assertThat(count("acknowledge", () -> mine.acknowledge(held.request())))
          .isEqualTo(Map.of("Txn", 1L));
      Held soon = mine.hold(new LockName("soon"));
      Held early = mine.hold(new LockName("early"));
      SpiClient dead = SpiClient.open(backend, LONG);
      Held delayed = dead.hold(dead.request(new LockName("late")).lockDelay(LONG));
      dead.closeSession();
      requests.sinceLast();
      assertThat(
              count(
                  "revoke with notice",
                  () -> backend.revokeIn(soon.observed(), LONG, StoreFixture.soon())))
          .isEqualTo(Map.of("Txn", 3L, "LeaseGrant", 2L, "LeaseRevoke", 1L));
      assertThat(count("renew while there is notice", mine::renew))
          .containsEntry("Range", 1L)
          .containsEntry("LeaseTimeToLive", 1L);
      assertThat(count("release that stays", () -> mine.releaseAfter(early.request(), LONG)))
          .isEqualTo(Map.of("Txn", 2L, "LeaseGrant", 1L));
      assertThat(
              count(
                  "overtake that begins a lock-delay",
                  () -> other.overtake(other.request(new LockName("late")), delayed.observed())))
          .isEqualTo(Map.of("Txn", 3L, "LeaseGrant", 1L, "LeaseTimeToLive", 1L));
      assertThat(count("inspect what stays", () -> mine.inspect(new LockName("late"))))
          .isEqualTo(Map.of("Txn", 1L, "LeaseTimeToLive", 1L));
      assertThat(count("open", () -> SpiClient.open(backend, LONG)))
          .isEqualTo(Map.of("Txn", 2L, "LeaseGrant", 1L));
      assertThat(count("end", () -> mine.end(EndIf.CLOSED))).isEqualTo(Map.of("LeaseRevoke", 1L));
    }
  }

  private static Map<String, Long> count(String verb, Runnable call) {
    return withoutKeepAlives(countWithKeepAlives(verb, call));
  }

  /** jetcd's copy of a request to keep alive may be counted only during a later verb. */
  private static Map<String, Long> withoutKeepAlives(Map<String, Long> counts) {
    Map<String, Long> others = new TreeMap<>(counts);
    others.remove("LeaseKeepAlive");
    return others;
  }

  private static Map<String, Long> countWithKeepAlives(String verb, Runnable call) {
    call.run();
    Map<String, Long> since = requests.sinceLast();
    LOG.info("{}: {}", verb, since);
    return since;
  }
}
