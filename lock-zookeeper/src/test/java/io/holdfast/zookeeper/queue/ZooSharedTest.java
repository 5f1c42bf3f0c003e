package io.holdfast.zookeeper.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.Liveness;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Both modes in one queue: what names do not tell, and what it costs to know it. */
@Tag("server")
class ZooSharedTest extends ZooQueueTestBase {

  private static final int A_RUN = 30;

  /** Requests of a session that lives, since its node is there. */
  private List<RequestNode> join(LockMode mode, int count) throws Exception {
    SessionId session = SessionId.fresh();
    others.create(
        new Paths("/holdfast").session(session),
        "ttlMillis=60000\n".getBytes(StandardCharsets.UTF_8),
        Ids.OPEN_ACL_UNSAFE,
        CreateMode.EPHEMERAL);
    List<RequestNode> made = new ArrayList<>();
    Semaphore answers = new Semaphore(0);
    send(
        session,
        mode,
        count,
        node -> {
          made.add(node);
          answers.release();
        });
    assertThat(answers.tryAcquire(count, 60, TimeUnit.SECONDS)).isTrue();
    return made;
  }

  private record Cost(Map<String, Long> requests, long bytes) {}

  private Cost costOfALook(SpiClient client, Request request) {
    requests.sinceLast();
    requests.bytesSinceLast();
    client.waiting(request);
    return new Cost(requests.sinceLast(), requests.bytesSinceLast());
  }

  /** The same before and after the head has left: who holds is nobody's business but the next's. */
  private List<Cost> costsBehind(LockMode mode, int waiters) throws Exception {
    SpiClient holder = client();
    Held held = holder.hold(LOCK);
    List<RequestNode> ahead = join(LockMode.EXCLUSIVE, waiters);
    SpiClient last = client();
    Request waits = mode == LockMode.SHARED ? last.queueShared(LOCK) : last.queue(LOCK);
    List<Cost> costs = new ArrayList<>();
    costs.add(costOfALook(last, waits));
    costs.add(costOfALook(last, waits));
    holder.release(held);
    costs.add(costOfALook(last, waits));
    last.release(waits);
    for (RequestNode place : ahead) {
      others.delete(place.path(), -1);
    }
    return costs;
  }

  @Test
  void aLookOfAWaiterCostsTheSameHoweverManyWait() throws Exception {
    for (LockMode mode : LockMode.values()) {
      List<Cost> few = costsBehind(mode, 2);

      assertThat(costsBehind(mode, 1_000)).as("%s", mode).isEqualTo(few);
      assertThat(few).as("%s", mode).allMatch(cost -> cost.equals(few.get(0)));
      assertThat(few.get(0).requests()).isEqualTo(Map.of("sync", 1L, "multiRead", 1L));
    }
  }

  /** However many share the lock, a bounded number of them is read. */
  @Test
  void aLookOfAWriterCostsTheSameBehindALongRun() throws Exception {
    client().release(client().hold(LOCK));
    List<Cost> costs = new ArrayList<>();
    for (int readers : List.of(A_RUN, 1_000)) {
      List<RequestNode> run = join(LockMode.SHARED, readers);
      SpiClient writer = client();
      Request waits = writer.queue(LOCK);
      costs.add(costOfALook(writer, waits));
      writer.release(waits);
      for (RequestNode place : run) {
        others.delete(place.path(), -1);
      }
    }

    assertThat(costs.get(1)).isEqualTo(costs.get(0));
    assertThat(costs.get(0).requests()).isEqualTo(Map.of("sync", 1L, "multiRead", 1L));
  }

  @Test
  void aWriterIsToldOfEachHolderOfALongRunThatMayBeRemoved() throws Exception {
    client().release(client().hold(LOCK));
    join(LockMode.SHARED, A_RUN);
    SpiClient reader = client();
    Held held = reader.share(LOCK);
    SpiClient writer = client();
    Request waits = writer.queue(LOCK);
    revoke(held);

    boolean told = false;
    for (int i = 0; i < A_RUN && !told; i++) {
      told = writer.waiting(waits).nextDue().isPresent();
    }

    assertThat(told).isTrue();
    assertThat(writer.waiting(waits).nextDue()).as("from then on").isPresent();
  }

  private Duration revoke(Held held) {
    Revocation revocation = client().revoke(held.observed(), RevokeWhen.SAFELY);
    assertThat(revocation).isInstanceOf(Revocation.Marked.class);
    return ((Revocation.Marked) revocation).remaining();
  }

  private static Request once(SpiClient client, LockMode mode) {
    return client.waitingRequest(LOCK).with(IfHeld.REFUSE).with(mode);
  }

  /** Its name says that it has asked to have the lock alone. */
  @Test
  void whoComesToALockThatWasDowngradedSharesIt() {
    SpiClient holder = client();
    Held exclusive = holder.hold(LOCK);
    SpiClient other = client();
    assertThat(other.grab(once(other, LockMode.SHARED))).isInstanceOf(Attempt.Refused.class);

    holder.downgrade(exclusive);

    assertThat(other.hold(once(other, LockMode.SHARED)).number()).isGreaterThan(exclusive.number());
    Held second = other.share(LOCK);
    Attempt refused = other.grab(once(other, LockMode.EXCLUSIVE));
    assertThat(refused).isInstanceOf(Attempt.Refused.class);
    assertThat(((Attempt.Refused) refused).record().holders()).hasSize(3);
    assertThat(holder.release(exclusive)).isEqualTo(Released.SHARED);
    assertThat(other.release(second)).isEqualTo(Released.SHARED);
  }

  /** Its place was given by names, when it had to wait. */
  @Test
  void whoWaitedForADowngradeLeavesAsOneThatShared() {
    SpiClient holder = client();
    Held exclusive = holder.hold(LOCK);
    SpiClient other = client();
    Request waits = other.queueShared(LOCK);
    other.waiting(waits);
    holder.downgrade(exclusive);

    assertThat(other.release(waits)).isEqualTo(Released.SHARED);
    assertThat(holder.release(exclusive)).isEqualTo(Released.FREED);
  }

  @Test
  void aDowngradeIsAHintToThoseItLetsIn() throws Exception {
    SpiClient holder = client();
    Held exclusive = holder.hold(LOCK);
    SpiClient reader = client();
    BlockingQueue<LockName> hints = new LinkedBlockingQueue<>();
    backend.listen(reader.session(), hints::add, StoreFixture.soon());
    Request waits = reader.queueShared(LOCK);

    holder.downgrade(exclusive);

    assertThat(hints.poll(60, TimeUnit.SECONDS)).isEqualTo(LOCK);
    reader.holding(waits);
  }

  @Test
  void aWriterBehindReadersThatADowngradeLetsInIsToldOfEachOfThem() {
    SpiClient holder = client();
    Held exclusive = holder.hold(LOCK);
    SpiClient reader = client();
    Request shared = reader.queueShared(LOCK);
    SpiClient writer = client();
    Request waits = writer.queue(LOCK);
    assertThat(writer.waiting(waits).nextDue()).isEmpty();

    holder.downgrade(exclusive);
    revoke(reader.holding(shared));

    assertThat(writer.waiting(waits).nextDue()).isPresent();
  }

  @Test
  void aRevocationOutlastsADowngradeAndTheOtherWayRound() {
    SpiClient holder = client();
    Held first = holder.hold(LOCK);
    Duration left = revoke(first);
    holder.downgrade(first);
    SpiClient writer = client();
    Request waits = writer.queue(LOCK);

    assertThat(writer.waiting(waits).nextDue().orElseThrow()).isLessThanOrEqualTo(left);
    assertThat(holder.release(first)).isEqualTo(Released.HANDED_ON);
    Held second = writer.holding(waits);
    writer.downgrade(second);
    revoke(second);
    Standing standing = writer.standing(waits);
    assertThat(standing).isInstanceOf(Standing.Holding.class);
    assertThat(((Standing.Holding) standing).mode()).isEqualTo(LockMode.SHARED);
  }

  /** It is known from the names that were last read, as long as the one who waited is there. */
  @Test
  void whoSharesIsToldWhetherOneWaitsWhoeverLeaves() {
    SpiClient one = client();
    Held first = one.share(LOCK);
    SpiClient other = client();
    Held second = other.share(LOCK);
    assertThat(contention(one, first)).isEqualTo(Contention.NOBODY_WAITS);

    Request writer = other.queue(LOCK);
    assertThat(contention(one, first)).isEqualTo(Contention.SOMEBODY_WAITS);
    assertThat(contention(one, first)).isEqualTo(Contention.SOMEBODY_WAITS);
    other.release(writer);
    assertThat(contention(one, first)).isEqualTo(Contention.NOBODY_WAITS);
    other.release(second);
    assertThat(contention(one, first)).isEqualTo(Contention.NOBODY_WAITS);
  }

  private static Contention contention(SpiClient client, Held held) {
    return ((Standing.Holding) client.standing(held.request())).contention();
  }

  @Test
  void whoLeavesARunKnowsWhetherItGoesOn() {
    SpiClient client = client();
    Held first = client.share(LOCK);
    Held second = client.share(LOCK);
    Held third = client.share(LOCK);
    Request writer = client.queue(LOCK);
    Request behind = client.queueShared(LOCK);

    assertThat(client.release(first)).isEqualTo(Released.SHARED);
    assertThat(client.release(third)).isEqualTo(Released.SHARED);
    assertThat(client.release(behind)).isEqualTo(Released.WAS_WAITING);
    assertThat(client.release(second)).isEqualTo(Released.HANDED_ON);
    assertThat(client.release(writer)).isEqualTo(Released.FREED);
  }

  @Test
  void aHolderWithADeadSessionInARunIsAnObstacleAndTheOthersAreNot() throws Exception {
    client().release(client().hold(LOCK));
    List<RequestNode> run = join(LockMode.SHARED, 2);
    SpiClient writer = client();
    Request waits = writer.queue(LOCK);
    assertThat(writer.waiting(waits).obstacles()).isEmpty();
    RequestId dead = run.get(0).request();
    SpiClient living = client();
    living.queueShared(LOCK);

    others.delete(new Paths("/holdfast").session(dead.session()), -1);

    List<Obstacle> obstacles = writer.waiting(waits).obstacles();
    assertThat(obstacles)
        .extracting(Obstacle::request)
        .containsExactlyInAnyOrder(run.get(0).request(), run.get(1).request());
    assertThat(obstacles).allMatch(Obstacle::isHead);
    assertThat(obstacles).allMatch(obstacle -> obstacle.liveness() == Liveness.ENDED);
    assertThat(writer.overtake(waits, obstacles.get(0).head())).isEqualTo(new Attempt.Queued());
    assertThat(writer.overtake(waits, obstacles.get(1).head())).isInstanceOf(Attempt.Granted.class);
  }
}
