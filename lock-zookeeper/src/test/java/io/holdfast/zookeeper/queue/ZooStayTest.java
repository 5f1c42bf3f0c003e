package io.holdfast.zookeeper.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Stay;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.zookeeper.ZookeeperLockProvider;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestData;
import io.holdfast.zookeeper.layout.RequestNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that outlive their sessions: what must not happen to them, and that none is left. */
@Tag("server")
class ZooStayTest {

  private static final LockName LOCK = new LockName("a");
  private static final Paths PATHS = new Paths("/holdfast");
  private static final String QUEUE = PATHS.queue(LOCK);
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration DELAY = Duration.ofHours(1);
  private static final Duration MOMENT = Duration.ofMillis(1);

  @TempDir private Path directory;
  private CountedServer server;
  private ZooKeeper others;
  private LockBackend backend;

  @BeforeEach
  void start() throws Exception {
    server = new CountedServer(directory.resolve("data"));
    others = new ZooKeeper(server.address(), 60_000, event -> {});
    backend = connect();
  }

  private LockBackend connect() {
    return new ZookeeperLockProvider()
        .connect(server.uri(), BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @AfterEach
  void stop() throws Exception {
    backend.close();
    others.close();
    server.close();
  }

  private SpiClient client() {
    return SpiClient.open(backend, StoreFixture.LONG);
  }

  private String onlyNode() throws Exception {
    List<String> names = others.getChildren(QUEUE, false);
    assertThat(names).hasSize(1);
    return QUEUE + "/" + names.get(0);
  }

  private Held stays(SpiClient client, Duration stay) {
    Held held = client.hold(LOCK);
    assertThat(client.releaseAfter(held.request(), stay)).isEqualTo(Released.STAYS);
    return held;
  }

  /** A request with a lock-delay whose session is over, as it is left when its process has died. */
  private RequestNode dead(Duration delay) throws Exception {
    SessionId session = SessionId.fresh();
    Request request =
        Request.of(LOCK, new RequestId(session, 1), new ProcessIdentity("other:1"))
            .lockDelay(delay);
    String list = PATHS.stays(session);
    if (others.exists(PATHS.stays(), false) == null) {
      others.create(PATHS.stays(), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }
    others.create(list, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER);
    others.create(list + "/d-1", LOCK.bytes(), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    String path =
        others.create(
            RequestNode.wanted(QUEUE, request),
            RequestData.of(request).encode(),
            Ids.OPEN_ACL_UNSAFE,
            CreateMode.PERSISTENT_SEQUENTIAL);
    return RequestNode.made(path, request);
  }

  private boolean isListed(RequestId request) throws Exception {
    String list = PATHS.stays(request.session());
    return others.exists(list, false) != null && !others.getChildren(list, false).isEmpty();
  }

  private void makeQueue() {
    SpiClient client = client();
    client.release(client.hold(LOCK));
  }

  /** Its first node is that of a holder who may have learnt that it holds. */
  @Test
  void aGrabThatIsRepeatedWhenItsSessionIsOverLeavesItsFirstNodeToTheSweep() throws Exception {
    SpiClient client = client();
    Held held = client.hold(client.request(LOCK).lockDelay(MOMENT));
    others.delete(PATHS.session(client.session()), -1);

    assertThat(client.grab(held.request())).isEqualTo(new Attempt.SessionOver());

    assertThat(isListed(held.request().id())).isTrue();
    await()
        .atMost(TIMEOUT)
        .until(
            () -> {
              backend.sweep(StoreFixture.soon());
              return others.getChildren(QUEUE, false).isEmpty();
            });
    backend.sweep(StoreFixture.soon());
    assertThat(isListed(held.request().id())).isFalse();
  }

  /** The new node begins to count its versions at zero, as the old one did. */
  @Test
  void whoHasReadTheNodeOfAHolderCannotTouchItsTombstone() throws Exception {
    for (boolean downgraded : List.of(false, true)) {
      SpiClient client = client();
      Held held = client.hold(LOCK);
      if (downgraded) {
        client.downgrade(held);
      }
      String path = onlyNode();
      Stat read = others.exists(path, false);

      client.releaseAfter(held.request(), DELAY);

      assertThat(onlyNode()).isEqualTo(path);
      for (int version = 0; version <= read.getVersion(); version++) {
        int before = version;
        assertThatThrownBy(() -> others.delete(path, before))
            .isInstanceOf(KeeperException.BadVersionException.class);
      }
      assertThat(others.exists(path, false).getEphemeralOwner()).isZero();
      others.delete(path, -1);
    }
  }

  @Test
  void whatStaysKeepsItsNumberItsPlaceAndSinceWhen() {
    SpiClient client = client();
    Held held = client.hold(LOCK);
    SpiClient waiter = client();
    Request second = waiter.queue(LOCK);
    Request third = waiter.queue(LOCK);
    Holder before = client.holder(LOCK);

    client.releaseAfter(held.request(), DELAY);

    LockRecord record = client.inspect(LOCK).orElseThrow();
    assertThat(record.number()).isEqualTo(held.number());
    assertThat(record.holder().orElseThrow().since()).isEqualTo(before.since());
    waiter.requireWaiting(second, 1);
    waiter.requireWaiting(third, 2);
    assertThat(waiter.release(second)).isEqualTo(Released.WAS_WAITING);
    waiter.requireWaiting(third, 1);
    assertThat(client.revoke(held.observed(), RevokeWhen.NOW)).isEqualTo(new Revocation.Freed());
    assertThat(waiter.holding(third).number()).isGreaterThan(held.number());
  }

  /** Its owner has not heard that it stays, and remembers where it stood. */
  @Test
  void aReleaseByWhoRemembersThePlaceLeavesWhatAnotherConnectionMadeStay() {
    SpiClient client = client();
    Held held = client.hold(LOCK);
    try (LockBackend other = connect()) {
      assertThat(client.on(other).releaseAfter(held.request(), DELAY)).isEqualTo(Released.STAYS);

      assertThat(client.standing(held.request())).isEqualTo(new Standing.Absent());
      assertThat(client.release(held)).isEqualTo(Released.NOTHING);

      assertThat(client().refused(LOCK).liveness()).isEqualTo(Liveness.STAYING);
    }
  }

  @Test
  void aSweepRemovesWhatHasStayedForItsTimeAndNothingElse() throws Exception {
    SpiClient client = client();
    Held held = stays(client, MOMENT);
    await().atMost(TIMEOUT).until(() -> backend.sweep(StoreFixture.soon()) > 0);
    client.requireFree(LOCK);
    assertThat(isListed(held.request().id())).isFalse();

    Held lasting = stays(client, DELAY);
    client.closeSession();
    SpiClient living = client();
    living.hold(living.request(new LockName("another")).lockDelay(DELAY));
    assertThat(backend.sweep(StoreFixture.soon())).isZero();
    assertThat(client().refused(LOCK).request()).isEqualTo(lasting.request().id());
  }

  /** Nobody comes for it: it is removed after its delay, and then nothing of it is left. */
  @Test
  void aSweepRemovesADeadHolderAfterItsDelay() throws Exception {
    makeQueue();
    RequestId dead = dead(MOMENT).request();

    assertThat(backend.sweep(StoreFixture.soon())).isOne();
    assertThat(client().inspect(LOCK).orElseThrow().holder().orElseThrow().request())
        .isEqualTo(dead);
    await().atMost(TIMEOUT).until(() -> backend.sweep(StoreFixture.soon()) > 0);

    client().requireFree(LOCK);
    assertThat(isListed(dead)).isFalse();
    assertThat(backend.sweep(StoreFixture.soon())).isZero();
  }

  /** Nothing in the store tells whether it has learnt of that, and so may have used the lock. */
  @Test
  void aWaiterWhoseTurnCameAfterItsDeathIsTakenForAHolder() throws Exception {
    SpiClient holder = client();
    Held held = holder.hold(LOCK);
    RequestId dead = dead(DELAY).request();
    assertThat(holder.release(held)).isEqualTo(Released.HANDED_ON);
    SpiClient next = client();
    Holder seen = next.refused(LOCK);
    assertThat(seen.request()).isEqualTo(dead);
    assertThat(seen.liveness()).isEqualTo(Liveness.ENDED);
    Observed observed = new Observed(LOCK, seen.ownNumber().orElseThrow(), dead);

    assertThat(next.overtake(next.request(LOCK), observed)).isInstanceOf(Attempt.Refused.class);

    assertThat(next.refused(LOCK).stay().orElseThrow().reason()).isEqualTo(Stay.Reason.LOCK_DELAY);
    assertThat(next.revoke(observed, RevokeWhen.SAFELY)).isEqualTo(new Revocation.Freed());
    next.hold(LOCK);
  }

  @Test
  void aSweepRemovesADeadRequestThatWaitsWithoutADelay() throws Exception {
    SpiClient holder = client();
    Held held = holder.hold(LOCK);
    RequestId dead = dead(DELAY).request();

    assertThat(backend.sweep(StoreFixture.soon())).isOne();

    assertThat(holder.inspect(LOCK).orElseThrow().waiters()).isEmpty();
    assertThat(isListed(dead)).isFalse();
    holder.holding(held.request());
  }

  /** A client that died between the two leaves a line in the list and no request. */
  @Test
  void aSweepForgetsWhatNeverCame() throws Exception {
    makeQueue();
    RequestNode dead = dead(DELAY);
    others.delete(dead.path(), -1);

    assertThat(backend.sweep(StoreFixture.soon())).isOne();

    assertThat(isListed(dead.request())).isFalse();
  }

  @Test
  void nothingOfALockDelayIsLeftWhenItsRequestHasLeft() throws Exception {
    SpiClient client = client();
    Held held = client.hold(client.request(LOCK).lockDelay(DELAY));
    SpiClient other = client();
    Request refused = other.request(LOCK).lockDelay(DELAY);
    assertThat(isListed(held.request().id())).isTrue();

    assertThat(other.grab(refused)).isInstanceOf(Attempt.Refused.class);
    assertThat(client.release(held)).isEqualTo(Released.FREED);

    assertThat(isListed(refused.id())).isFalse();
    assertThat(isListed(held.request().id())).isFalse();
    client.requireFree(LOCK);
  }

  /** Whether its client closed it or could not renew it: it has not given the lock back. */
  @Test
  void whatHasALockDelayIsLeftAndFoundBySweepsWhenItsSessionIsEnded() throws Exception {
    SpiClient client = client();
    Held held = client.hold(client.request(LOCK).lockDelay(MOMENT));

    client.closeSession();

    assertThat(client().holder(LOCK).liveness()).isEqualTo(Liveness.ENDED);
    assertThat(isListed(held.request().id())).isTrue();
    assertThat(backend.sweep(StoreFixture.soon())).as("whose delay begins").isOne();
    await().atMost(TIMEOUT).until(() -> backend.sweep(StoreFixture.soon()) > 0);
    client().requireFree(LOCK);
    assertThat(isListed(held.request().id())).isFalse();
  }

  @Test
  void whatIsGivenBackEarlyAfterItHadADelayStays() throws Exception {
    SpiClient client = client();
    Held held = client.hold(client.request(LOCK).lockDelay(DELAY));

    assertThat(client.releaseAfter(held.request(), DELAY)).isEqualTo(Released.STAYS);
    client.closeSession();

    SpiClient other = client();
    assertThat(other.refused(LOCK).liveness()).isEqualTo(Liveness.STAYING);
    assertThat(other.overtake(other.request(LOCK), held.observed()))
        .isInstanceOf(Attempt.Refused.class);
    other.revoke(held.observed(), RevokeWhen.SAFELY);
    other.requireFree(LOCK);
    assertThat(isListed(held.request().id())).isFalse();
  }

  /** Only its session tells that it has died: its node stays. */
  @Test
  void whoWaitsBehindALockDelayIsTold() throws Exception {
    makeQueue();
    RequestNode holder = dead(DELAY);
    String session = PATHS.session(holder.request().session());
    others.create(
        session,
        "ttlMillis=60000\n".getBytes(StandardCharsets.UTF_8),
        Ids.OPEN_ACL_UNSAFE,
        CreateMode.EPHEMERAL);
    SpiClient waiter = client();
    BlockingQueue<LockName> hints = new LinkedBlockingQueue<>();
    backend.listen(waiter.session(), hints::add, StoreFixture.soon());
    Request waits = waiter.queue(LOCK);
    waiter.requireWaiting(waits, 1);
    others.setData(session, "ttlMillis=60000\n".getBytes(StandardCharsets.UTF_8), -1);

    others.delete(session, -1);

    assertThat(hints.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LOCK);
    assertThat(hints).as("hints of a heartbeat").isEmpty();
    assertThat(waiter.waiting(waits).obstacles())
        .extracting(obstacle -> obstacle.liveness())
        .containsExactly(Liveness.ENDED);
  }

  @Test
  void anOrphanedSessionIsResumedWithWhatHasALockDelay() {
    LockBackend before = connect();
    SpiClient orphan = SpiClient.open(before, StoreFixture.LONG);
    Held held = orphan.hold(orphan.request(LOCK).lockDelay(DELAY));
    Held stays = orphan.hold(new LockName("stays"));
    orphan.releaseAfter(stays.request(), DELAY);
    before.close();

    List<RequestKey> requests =
        ((ResumableSessions) backend)
            .resume(orphan.session(), StoreFixture.soon())
            .orElseThrow()
            .requests();

    assertThat(requests).containsExactly(held.request().key());
    assertThat(orphan.on(backend).holding(held.request())).isEqualTo(held);
    assertThat(orphan.on(backend).release(held)).isEqualTo(Released.FREED);
  }

  @Test
  void aDelayedHolderThatDiedInARunKeepsWritersOutAndLetsReadersIn() throws Exception {
    SpiClient reader = client();
    Held held = reader.share(LOCK);
    SpiClient dying = client();
    Held dead = dying.hold(dying.sharedRequest(LOCK).lockDelay(DELAY));
    others.delete(PATHS.session(dying.session()), -1);
    SpiClient writer = client();
    Request waits = writer.queue(LOCK);

    assertThat(writer.waiting(waits).obstacles())
        .extracting(obstacle -> obstacle.request())
        .containsExactly(dead.request().id());
    Observed observed = writer.waiting(waits).obstacles().get(0).head();
    assertThat(writer.overtake(waits, observed)).isEqualTo(new Attempt.Queued());
    reader.release(held);

    Standing.Waiting standing = writer.waiting(waits);
    assertThat(standing.obstacles()).isEmpty();
    assertThat(standing.nextDue()).isPresent();
    writer.release(waits);
    client().share(LOCK);
  }
}
