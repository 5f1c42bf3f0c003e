package io.holdfast.zookeeper;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;

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
import io.holdfast.testing.zookeeper.ZooServer;
import io.holdfast.zookeeper.queue.ZooRequests;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What verbs cost, as counted on the way to the server. */
@Adapter("zookeeper")
@Tag("server")
class ZooRequestsPerVerbTest implements HandOverCostRules {

  private static final Logger LOG = LoggerFactory.getLogger(ZooRequestsPerVerbTest.class);
  private static final LockName LOCK = new LockName("a");

  private static ZooServer server;
  private static ZooRequests requests;

  @BeforeAll
  static void startServer() {
    server = ZooServer.launch();
    requests = new ZooRequests(server);
  }

  @AfterAll
  static void stopServer() {
    requests.close();
    server.close();
  }

  @Override
  public LockBackend connect() {
    return new ZookeeperLockProvider()
        .connect(requests.uri(), BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @Override
  public Map<String, Long> requestsSinceLast() {
    return requests.sinceLast();
  }

  /** A watch that has fired is set anew by the next read; this one has not. */
  @Test
  void whereNobodyWatchesNothingIsSent() {
    try (LockBackend backend = connect()) {
      SpiClient mine = SpiClient.open(backend, LONG);
      LockName watched = new LockName("watched");
      Held held = mine.hold(watched);
      requests.sinceLast();

      Watching watching = backend.watch(watched, hinted -> {});
      assertThat(requests.sinceLast()).as("what is sent before the first read").isEmpty();
      watching.read(0, StoreFixture.soon());
      requests.sinceLast();
      assertThat(count("read of a watch", () -> watching.read(0, StoreFixture.soon())))
          .isEqualTo(
              Map.of("sync", 1L, "exists", 1L, "getChildren", 1L, "getData", 1L, "multiRead", 1L));
      watching.close();
      mine.inspect(watched); // After what the close has sent over the same connection.
      requests.sinceLast();
      assertThat(count("renew", mine::renew)).isEqualTo(Map.of("setData", 1L, "getData", 1L));
      mine.release(held);
      assertThat(requests.sinceLast())
          .as("what is sent for a release")
          .isEqualTo(Map.of("multi", 1L));
    }
  }

  @Test
  void verbsTakeAsManyRequestsAsTheyMay() {
    try (LockBackend backend = connect()) {
      SpiClient mine = SpiClient.open(backend, LONG);
      SpiClient other = SpiClient.open(backend, LONG);
      GivenBack.by(connect(), LOCK);
      Request first = mine.waitingRequest(LOCK);
      Request second = other.waitingRequest(LOCK);
      requests.sinceLast();

      assertThat(count("grab of a free lock", () -> mine.grab(first)))
          .isEqualTo(Map.of("create", 1L, "multiRead", 1L));
      assertThat(count("refused grab", () -> other.grab(other.request(LOCK))))
          .isEqualTo(Map.of("create", 1L, "getChildren", 1L, "multi", 1L, "multiRead", 2L));
      assertThat(count("join", () -> other.grab(second)))
          .isEqualTo(Map.of("create", 1L, "getChildren", 1L, "multiRead", 1L));
      assertThat(count("look of a waiter", () -> other.look(second)))
          .isEqualTo(Map.of("sync", 1L, "multiRead", 1L));
      assertThat(count("look of a holder", () -> mine.look(first)))
          .isEqualTo(Map.of("sync", 1L, "multiRead", 1L));
      assertThat(count("renew", mine::renew)).isEqualTo(Map.of("setData", 1L, "getData", 1L));
      assertThat(count("hand over", () -> mine.release(first)))
          .isEqualTo(Map.of("multi", 1L, "exists", 1L));
      assertThat(count("look of who was handed the lock", () -> other.look(second)))
          .isEqualTo(Map.of("sync", 1L, "multiRead", 1L));
      requests.sinceLast();
      assertThat(count("release", () -> other.release(second))).isEqualTo(Map.of("multi", 1L));
      assertThat(
              count(
                  "grab of a lock that the same client has given back",
                  () -> mine.release(mine.hold(LOCK))))
          .isEqualTo(Map.of("multi", 2L));
      Held held = mine.hold(LOCK);
      requests.sinceLast();
      assertThat(count("inspect", () -> mine.inspect(LOCK)))
          .isEqualTo(
              Map.of("sync", 1L, "exists", 1L, "getChildren", 1L, "getData", 1L, "multiRead", 1L));
      assertThat(count("revoke", () -> other.revoke(held.observed(), RevokeWhen.SAFELY)))
          .isEqualTo(
              Map.of(
                  "sync",
                  2L,
                  "exists",
                  1L,
                  "getChildren",
                  1L,
                  "getData",
                  2L,
                  "multiRead",
                  1L,
                  "setData",
                  2L));
      assertThat(count("acknowledge", () -> mine.acknowledge(held.request())))
          .isEqualTo(Map.of("sync", 1L, "getData", 1L, "setData", 1L));
      assertThat(count("open", () -> SpiClient.open(backend, LONG)))
          .isEqualTo(Map.of("sync", 1L, "getData", 1L, "multi", 1L));
      assertThat(count("end", () -> mine.end(EndIf.CLOSED))).isEqualTo(Map.of("closeSession", 1L));
    }
  }

  @Test
  void verbsInSharedModeTakeAsManyRequestsAsTheyMay() {
    try (LockBackend backend = connect()) {
      SpiClient mine = SpiClient.open(backend, LONG);
      SpiClient other = SpiClient.open(backend, LONG);
      LockName name = new LockName("shared");
      GivenBack.by(connect(), name);
      Request first = mine.sharedRequest(name);
      Request second = other.sharedRequest(name);
      Request writer = other.waitingRequest(name);
      requests.sinceLast();

      assertThat(count("grab of a free lock", () -> mine.grab(first)))
          .isEqualTo(Map.of("create", 1L, "multiRead", 1L));
      assertThat(count("join of a run", () -> other.grab(second)))
          .isEqualTo(Map.of("create", 1L, "getChildren", 1L, "multiRead", 1L));
      other.grab(writer);
      requests.sinceLast();
      assertThat(count("look of a holder in a run", () -> mine.look(first)))
          .isEqualTo(Map.of("sync", 1L, "getChildren", 1L, "multiRead", 1L));
      assertThat(count("look when it is known who waits", () -> mine.look(first)))
          .isEqualTo(Map.of("sync", 1L, "multiRead", 1L));
      assertThat(count("look of a writer", () -> other.look(writer)))
          .isEqualTo(Map.of("sync", 1L, "multiRead", 1L));
      assertThat(count("release by whom another shared with", () -> other.release(second)))
          .isEqualTo(Map.of("multi", 1L, "exists", 2L));
      assertThat(count("release by the last of a run", () -> mine.release(first)))
          .isEqualTo(Map.of("multi", 1L, "getChildren", 1L));
      assertThat(count("look of who was handed the lock", () -> other.look(writer)))
          .isEqualTo(Map.of("sync", 1L, "multiRead", 1L));
      assertThat(count("downgrade", () -> other.downgrade(other.holding(writer))))
          .isEqualTo(
              Map.of(
                  "sync",
                  2L,
                  "exists",
                  1L,
                  "getChildren",
                  1L,
                  "getData",
                  1L,
                  "multiRead",
                  2L,
                  "setData",
                  1L));
      Held held = new Held(writer, other.holding(writer).number());
      mine.revoke(held.observed(), RevokeWhen.SAFELY);
      requests.sinceLast();
      assertThat(count("release of a revoked lock", () -> other.release(writer)))
          .isEqualTo(Map.of("multi", 2L, "multiRead", 1L));
    }
  }

  /** What its client has seen over another server is read over this one, too. */
  @Test
  void whoGoesOnWithASessionFirstLetsItsServerCatchUp() {
    try (LockBackend backend = connect();
        LockBackend other = connect()) {
      SpiClient mine = SpiClient.open(backend, LONG);
      mine.inspect(LOCK);
      other.inspect(LOCK, StoreFixture.soon());
      requests.sinceLast();

      assertThat(count("renewal of another's session", mine.on(other)::renew))
          .isEqualTo(Map.of("sync", 2L, "getData", 2L, "setData", 1L));
      assertThat(count("the next one", mine.on(other)::renew))
          .isEqualTo(Map.of("getData", 1L, "setData", 1L));
    }
  }

  /** Only they pay for it. */
  @Test
  void whatStaysTakesAsManyRequestsAsItMay() {
    try (LockBackend backend = connect()) {
      SpiClient mine = SpiClient.open(backend, LONG);
      LockName name = new LockName("stays");
      mine.release(mine.hold(mine.request(name).lockDelay(LONG)));
      Request first = mine.request(name).lockDelay(LONG);
      requests.sinceLast();

      assertThat(count("grab with a lock-delay", () -> mine.grab(first)))
          .isEqualTo(Map.of("create", 2L, "multiRead", 1L));
      assertThat(count("its release", () -> mine.release(first)))
          .isEqualTo(Map.of("multi", 1L, "delete", 1L));
      Held held = mine.hold(name);
      requests.sinceLast();
      assertThat(count("release that stays", () -> mine.releaseAfter(held.request(), LONG)))
          .isEqualTo(Map.of("create", 1L, "multiRead", 1L, "multi", 1L));
      Held delayed = mine.hold(mine.request(new LockName("delayed")).lockDelay(LONG));
      requests.sinceLast();
      assertThat(count("the same with a delay", () -> mine.releaseAfter(delayed.request(), LONG)))
          .isEqualTo(Map.of("create", 1L, "multiRead", 1L, "setData", 1L, "delete", 1L));
      SpiClient other = SpiClient.open(backend, LONG);
      Request waits = other.queue(name);
      requests.sinceLast();
      assertThat(count("look of a waiter behind it", () -> other.look(waits)))
          .isEqualTo(Map.of("sync", 1L, "multiRead", 1L, "setData", 1L));
    }
  }

  private static Map<String, Long> count(String verb, Runnable call) {
    call.run();
    Map<String, Long> since = requests.sinceLast();
    LOG.info("{}: {}", verb, since);
    return since;
  }
}
