package io.holdfast.etcd;

import static io.holdfast.tck.rules.Bench.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.RevokeWhen;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.tck.rules.Bench;
import io.holdfast.tck.rules.Held;
import io.holdfast.tck.rules.SpiClient;
import io.holdfast.tck.server.EtcdServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What verbs cost, as the server has counted it. */
@Tag("server")
class EtcdRequestsPerVerbTest {

  private static final Logger LOG = LoggerFactory.getLogger(EtcdRequestsPerVerbTest.class);
  private static final LockName LOCK = new LockName("a");

  private static EtcdServer server;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static LockBackend connect() {
    return new EtcdLockProvider()
        .connect("etcd://" + server.address(), BackendOptions.DEFAULTS, Bench.soon());
  }

  @Test
  void verbsTakeAsManyRequestsAsTheyMay() {
    try (LockBackend backend = connect()) {
      SpiClient mine = SpiClient.open(backend, LONG);
      SpiClient other = SpiClient.open(backend, LONG);
      EtcdRequests requests = new EtcdRequests(server);
      Request first = mine.patient(LOCK);
      Request second = other.patient(LOCK);
      Request refused = other.request(LOCK);

      assertThat(count(requests, "grab of a free lock", () -> mine.grab(first)))
          .isEqualTo(Map.of("Txn", 1L));
      assertThat(count(requests, "refused grab", () -> other.grab(refused)))
          .isEqualTo(Map.of("Txn", 2L));
      assertThat(count(requests, "join", () -> other.grab(second))).isEqualTo(Map.of("Txn", 1L));
      assertThat(count(requests, "repeated join", () -> other.grab(second)))
          .isEqualTo(Map.of("Txn", 1L));
      assertThat(count(requests, "look", () -> other.look(second))).isEqualTo(Map.of("Txn", 1L));
      // jetcd asks twice to keep alive: it ends its stream with a copy of the request.
      assertThat(count(requests, "renew", mine::renew))
          .containsEntry("Range", 1L)
          .hasEntrySatisfying("LeaseKeepAlive", n -> assertThat(n).isBetween(1L, 2L))
          .hasSize(2);
      assertThat(count(requests, "hand over", () -> mine.release(first)))
          .isEqualTo(Map.of("Txn", 1L));
      assertThat(count(requests, "release", () -> other.release(second)))
          .isEqualTo(Map.of("Txn", 1L));
      Held held = mine.hold(LOCK);
      requests.sinceLast();
      assertThat(count(requests, "inspect", () -> mine.inspect(LOCK))).isEqualTo(Map.of("Txn", 1L));
      assertThat(
              count(
                  requests,
                  "list",
                  () -> mine.backend().list("", Optional.empty(), 9, Bench.soon())))
          .isEqualTo(Map.of("Range", 1L, "Txn", 1L));
      assertThat(count(requests, "revoke", () -> other.revoke(held.observed(), RevokeWhen.SAFELY)))
          .isEqualTo(Map.of("Txn", 3L, "LeaseGrant", 1L));
      assertThat(count(requests, "acknowledge", () -> mine.acknowledge(held.request())))
          .isEqualTo(Map.of("Txn", 1L));
      assertThat(count(requests, "open", () -> SpiClient.open(backend, LONG)))
          .isEqualTo(Map.of("Txn", 2L, "LeaseGrant", 1L));
      assertThat(count(requests, "end", () -> mine.end(EndIf.CLOSED)))
          .isEqualTo(Map.of("LeaseRevoke", 1L));
    }
  }

  private static Map<String, Long> count(EtcdRequests requests, String verb, Runnable call) {
    call.run();
    Map<String, Long> since = requests.sinceLast();
    LOG.info("{}: {}", verb, since);
    return since;
  }

  /** Each waiter watches its predecessor, and nobody else is told. */
  @Test
  void aHandOverCostsTheSameHoweverManyWait() {
    List<Long> costs = Stream.of(2, 20, 100).map(this::costOfHandOver).toList();

    LOG.info("requests of ten hand-overs with 2, 20 and 100 sessions: {}", costs);
    assertThat(costs.get(2)).isLessThanOrEqualTo(costs.get(0) + 5);
  }

  /** On the level of the verbs, so that no heartbeat is counted. */
  private long costOfHandOver(int sessions) {
    try (LockBackend backend = connect()) {
      LockName name = new LockName("hand-over/" + sessions);
      List<SpiClient> waiters =
          Stream.generate(() -> SpiClient.open(backend, LONG)).limit(sessions).toList();
      List<Request> places = new ArrayList<>();
      BlockingQueue<LockName> hints = new LinkedBlockingQueue<>();
      for (SpiClient waiter : waiters) {
        backend.listen(waiter.session(), hints::add, Bench.soon());
        Request place = waiter.patient(name);
        waiter.grab(place);
        places.add(place);
      }
      EtcdRequests requests = new EtcdRequests(server);
      int handOvers = Math.min(10, sessions - 1);
      for (int i = 0; i < handOvers; i++) {
        waiters.get(i).release(places.get(i));
        assertThat(hints.poll(20, TimeUnit.SECONDS)).isEqualTo(name);
        waiters.get(i + 1).holding(places.get(i + 1));
      }
      long total = requests.sinceLast().values().stream().mapToLong(n -> n).sum();
      waiters.forEach(SpiClient::closeSession);
      return total * 10 / handOvers;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
