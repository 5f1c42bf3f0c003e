package io.holdfast.etcd.queue;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Cmp;
import io.holdfast.FencingToken;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import io.holdfast.error.LockLostException;
import io.holdfast.etcd.EtcdFencing;
import io.holdfast.etcd.EtcdLocks;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Where what stays lies in etcd, what ends it, and what is left then. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class EtcdStaysTest {

  private static final LockName LOCK = new LockName("a");

  /** Its end is waited for, and a slow machine looks before it comes. */
  private static final Duration BRIEF = Duration.ofSeconds(8);

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static EtcdServer server;
  private static Client client;

  private final String prefix = "stays/" + UUID.randomUUID();

  private EtcdKeys keys;
  private LockBackend backend;
  private LockBackend elsewhere;
  private SpiClient holder;
  private SpiClient other;
  private SpiClient third;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
    client = Client.builder().endpoints("http://" + server.address()).build();
  }

  @AfterAll
  static void stopServer() {
    client.close();
    server.close();
  }

  @BeforeEach
  void open() {
    keys = new EtcdKeys(client, prefix);
    backend = connect();
    elsewhere = connect();
    holder = SpiClient.open(backend, LONG);
    other = SpiClient.open(elsewhere, LONG);
    third = SpiClient.open(elsewhere, LONG);
  }

  private LockBackend connect() {
    return EtcdLocks.on(client, prefix).connect(BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @AfterEach
  void close() {
    backend.close();
    elsewhere.close();
  }

  private Request delayed(SpiClient who) {
    return who.waitingRequest(LOCK).lockDelay(BRIEF);
  }

  /** As if the session had lapsed: its lease is gone. */
  private static void dies(SpiClient who) {
    who.closeSession();
    assertThat(who.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
  }

  // A least time.

  @Test
  void whatIsGivenBackEarlyIsEndedByALeaseOfItsOwn() {
    Held held = holder.hold(LOCK);
    Request waits = other.queue(LOCK);
    KeyValue before = keys.of(held.request().key());

    assertThat(holder.releaseAfter(held.request(), BRIEF)).isEqualTo(Released.STAYS);

    KeyValue after = keys.of(held.request().key());
    assertThat(after.getCreateRevision()).isEqualTo(before.getCreateRevision());
    assertThat(after.getValue()).isEqualTo(before.getValue());
    assertThat(after.getLease()).isNotIn(0L, before.getLease());
    assertThat(keys.mark(held.request().key(), "g").getLease()).isEqualTo(after.getLease());
    // Nobody overtakes it.
    await().atMost(TIMEOUT).until(() -> other.standing(waits) instanceof Standing.Holding);
    assertThat(keys.ofLocks()).containsExactly("l:a⇥x" + waits.id().session());
    assertThat(other.release(waits)).isEqualTo(Released.FREED);
  }

  /** A place that is remembered on one connection does not hide what was done on another. */
  @Test
  void whatWasGivenBackElsewhereIsNotItsOwnersAnyMore() {
    Held held = holder.hold(LOCK);
    holder.on(elsewhere).releaseAfter(held.request(), LONG);

    assertThat(holder.standing(held.request())).isEqualTo(new Standing.Absent());
    assertThat(backend.downgrade(held.request().key(), StoreFixture.soon())).isEmpty();
    assertThat(holder.release(held)).isEqualTo(Released.NOTHING);
    assertThat(other.refused(LOCK).liveness()).isEqualTo(Liveness.STAYING);
  }

  @Test
  void whatIsRevokedWhileItStaysLeavesNothing() {
    Held held = holder.hold(LOCK);
    holder.releaseAfter(held.request(), LONG);

    other.revoke(held.observed(), RevokeWhen.SAFELY);

    assertThat(keys.ofLocks()).isEmpty();
  }

  @Test
  void whatWasDowngradedStaysInSharedMode() {
    Held held = holder.downgrade(holder.hold(LOCK));
    holder.releaseAfter(held.request(), LONG);

    other.release(other.share(LOCK));

    other.refused(LOCK);
  }

  /** A run of many that stay: the first who waits asks for a few of their times. */
  @Test
  void allOfARunStayForThemselves() {
    Held first = holder.share(LOCK);
    Held second = holder.share(LOCK);
    Request waits = other.queue(LOCK);
    holder.releaseAfter(first.request(), LONG);
    holder.releaseAfter(second.request(), BRIEF);

    assertThat(other.waiting(waits).nextDue().orElseThrow()).isLessThanOrEqualTo(BRIEF);
    await().atMost(TIMEOUT).until(() -> other.inspect(LOCK).orElseThrow().holders().size() == 1);
    assertThat(other.waiting(waits).nextDue().orElseThrow()).isGreaterThan(BRIEF);
  }

  // A lock-delay.

  @Test
  void aLockDelayIsOnNoLeaseUntilItBegins() {
    Held held = holder.hold(delayed(holder));
    long session = keys.mark(held.request().key(), "a").getLease();
    KeyValue before = keys.of(held.request().key());
    assertThat(before.getLease()).isZero();
    assertThat(keys.mark(held.request().key(), "d").getLease()).isZero();
    assertThat(session).isPositive();

    dies(holder);

    assertThat(other.refused(LOCK).liveness()).isEqualTo(Liveness.ENDED);
    assertThat(other.overtake(other.request(LOCK), held.observed()))
        .isInstanceOf(Attempt.Refused.class);
    KeyValue after = keys.of(held.request().key());
    assertThat(after.getCreateRevision()).isEqualTo(before.getCreateRevision());
    assertThat(after.getLease()).isPositive().isNotEqualTo(session);
    assertThat(keys.mark(held.request().key(), "d").getLease()).isEqualTo(after.getLease());
    await().atMost(TIMEOUT).until(() -> keys.ofLocks().isEmpty());
  }

  @Test
  void whoLeavesLeavesNoMarks() {
    Held held = holder.hold(delayed(holder));
    Request waits = delayed(other);
    other.grab(waits);
    other.grab(delayed(other).with(IfHeld.REFUSE));
    assertThat(keys.ofLocks()).hasSize(6);

    other.release(waits);
    assertThat(keys.ofLocks()).hasSize(3);
    holder.release(held);
    assertThat(keys.ofLocks()).isEmpty();

    holder.on(elsewhere).release(holder.hold(delayed(holder)));
    assertThat(keys.ofLocks()).isEmpty();
  }

  @Test
  void aRevocationPutsWhatHasALockDelayOnItsSession() {
    Held held = holder.hold(delayed(holder));

    other.revoke(held.observed(), RevokeWhen.SAFELY);

    assertThat(holder.holding(held.request())).isEqualTo(held);
    dies(holder);
    other.requireFree(LOCK);
  }

  /** Its place is remembered, and its key is there still. */
  @Test
  void whoseSessionIsOverHasNoPlace() {
    Request holds = holder.hold(delayed(holder)).request();
    Request waits = delayed(other);
    other.grab(waits);
    assertThat(other.standing(waits)).isInstanceOf(Standing.Waiting.class);
    dies(other.on(backend));
    dies(holder.on(elsewhere));

    assertThat(holder.standing(holds)).isEqualTo(new Standing.Absent());
    assertThat(other.standing(waits)).isEqualTo(new Standing.Absent());
    assertThat(backend.downgrade(holds.key(), StoreFixture.soon())).isEmpty();
    assertThat(holder.grab(holds)).isEqualTo(new Attempt.SessionOver());
  }

  /** Only who holds has a delay. */
  @Test
  void aDeadWaiterThatHasALockDelayKeepsNobodyOut() {
    Held held = other.share(LOCK);
    holder.grab(delayed(holder));
    Request behind = third.queueShared(LOCK);
    assertThat(third.waiting(behind).obstacles()).isEmpty();
    dies(holder);

    List<Obstacle> obstacles = third.waiting(behind).obstacles();

    assertThat(obstacles).hasSize(1);
    assertThat(obstacles.get(0).isHead()).isFalse();
    assertThat(third.backend().release(LOCK, obstacles.get(0).request(), StoreFixture.soon()))
        .isEqualTo(Released.WAS_WAITING);
    third.holding(behind);
    other.holding(held.request());
  }

  /** A notice is written to the holder, as a downgrade is. */
  @Test
  void aDeadWaiterIsToldOfAlsoBehindAHolderThatWasRevoked() {
    Held held = other.hold(LOCK);
    Request dead = delayed(holder).with(LockMode.SHARED);
    holder.grab(dead);
    Request behind = third.queue(LOCK);
    other.backend().revokeIn(held.observed(), LONG, StoreFixture.soon());
    dies(holder);

    assertThat(third.waiting(behind).obstacles())
        .containsExactly(new Obstacle(held.observed(), dead.id(), Liveness.ENDED));
    third.backend().release(LOCK, dead.id(), StoreFixture.soon());
    third.requireWaiting(behind, 1);
  }

  @Test
  void theFirstWaiterIsToldOfEveryDeadHolder() {
    Held dead = holder.hold(delayed(holder).with(LockMode.SHARED));
    Held lives = third.share(LOCK);
    Request waits = other.queue(LOCK);
    assertThat(other.waiting(waits).obstacles()).isEmpty();
    dies(holder);

    assertThat(other.waiting(waits).obstacles())
        .containsExactly(new Obstacle(dead.observed(), dead.request().id(), Liveness.ENDED));
    assertThat(other.overtake(waits, dead.observed())).isEqualTo(new Attempt.Queued());
    assertThat(other.waiting(waits).obstacles()).isEmpty();

    await().atMost(TIMEOUT).until(() -> other.inspect(LOCK).orElseThrow().holders().size() == 1);
    assertThat(third.release(lives)).isEqualTo(Released.HANDED_ON);
    other.holding(waits);
  }

  /** A downgraded holder shares the lock with another, which is not taken for one that waits. */
  @Test
  void aDeadHolderBehindOneThatWasDowngradedHasItsDelay() {
    third.downgrade(third.hold(LOCK));
    Held dead = holder.hold(delayed(holder).with(LockMode.SHARED));
    Request waits = other.queue(LOCK);
    dies(holder);

    assertThat(other.waiting(waits).obstacles())
        .containsExactly(new Obstacle(dead.observed(), dead.request().id(), Liveness.ENDED));
  }

  @Test
  void aSweepBeginsDelaysAndRemovesDeadWaiters() {
    Held held = holder.hold(delayed(holder));
    Request waits = delayed(other);
    other.grab(waits);
    assertThat(backend.sweep(StoreFixture.soon())).isZero();
    dies(holder);
    dies(other);

    assertThat(backend.sweep(StoreFixture.soon())).isEqualTo(2);

    LockRecord record = third.inspect(LOCK).orElseThrow();
    assertThat(record.holder().orElseThrow().request()).isEqualTo(held.request().id());
    assertThat(record.holder().orElseThrow().liveness()).isEqualTo(Liveness.STAYING);
    assertThat(record.waiters()).isEmpty();
    assertThat(backend.sweep(StoreFixture.soon())).isZero();
    await().atMost(TIMEOUT).until(() -> keys.ofLocks().isEmpty());
  }

  @Test
  void aSessionIsResumedWithWhatHasALockDelay() {
    Held held = holder.hold(delayed(holder));

    assertThat(
            ((ResumableSessions) elsewhere)
                .resume(holder.session(), StoreFixture.soon())
                .orElseThrow()
                .requests())
        .containsExactly(held.request().key());
    assertThat(holder.on(elsewhere).holding(held.request())).isEqualTo(held);
  }

  // Fencing.

  private Cmp[] isHeld(Held held) {
    FencingToken token = FencingToken.of(held.number(), 0);
    Sequencer sequencer = new Sequencer(LOCK, LockMode.EXCLUSIVE, token);
    return new EtcdFencing(client, prefix).isHeld(sequencer, LONG);
  }

  private boolean isTrue(Cmp[] compares) throws Exception {
    return client.getKVClient().txn().If(compares).commit().get(20, TimeUnit.SECONDS).isSucceeded();
  }

  @Test
  void aGrantWithALockDelayIsInForceUntilItsSessionIsOver() throws Exception {
    Held held = holder.hold(delayed(holder));
    Cmp[] compares = isHeld(held);
    assertThat(isTrue(compares)).isTrue();
    other.backend().revokeIn(held.observed(), LONG, StoreFixture.soon());
    assertThat(isTrue(compares)).isTrue();

    dies(holder);

    assertThat(isTrue(compares)).isFalse();
    assertThatThrownBy(() -> isHeld(held)).isInstanceOf(LockLostException.class);
  }

  @Test
  void aGrantThatWasGivenBackIsNotInForceWhileItStays() {
    Held held = holder.hold(LOCK);
    holder.releaseAfter(held.request(), LONG);

    assertThatThrownBy(() -> isHeld(held)).isInstanceOf(LockLostException.class);
  }
}
