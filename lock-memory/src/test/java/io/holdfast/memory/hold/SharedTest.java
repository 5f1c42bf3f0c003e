package io.holdfast.memory.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.Payload;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionState;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.world.World;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Shared mode inside one client: threads ride on one request, as long as no others wait. */
class SharedTest {

  private static final Duration HEARTBEAT = World.TTL.dividedBy(3);
  private static final Duration LONG = Duration.ofHours(1);
  private static final AcquireOptions SHARED = AcquireOptions.within(LONG).shared();
  private static final AcquireOptions SHARED_ONCE = AcquireOptions.once().shared();

  private final World world = new World(Wakeup.POLL);
  private final World.Peer one = world.process();
  private final World.Peer other = world.process();

  /** Takes it as a thread of its own would: the test's thread goes on without it. */
  private static Grant take(World.Peer peer, AcquireOptions options) {
    Grant grant = peer.client.lock("a").acquire(options);
    grant.handOver();
    return grant;
  }

  private static boolean mayShare(World.Peer peer) {
    return peer.client.lock("a").tryAcquire(SHARED_ONCE).map(Grant::release).isPresent();
  }

  @Test
  void threadsOfOneClientRideOnOneRequest() {
    Grant first = take(one, SHARED);
    one.calls.clear();
    Grant second = take(one, SHARED);
    Grant third = one.client.lock("a").tryAcquire(SHARED_ONCE).orElseThrow();
    assertThat(one.calls).isEmpty();
    assertThat(List.of(first.mode(), second.mode())).containsOnly(LockMode.SHARED);
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(second.token().number()).isEqualTo(first.token().number());
    assertThat(first.release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(third.release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(second.isHeld()).isTrue();
    assertThat(one.count("release")).isZero();
    assertThat(second.release()).isEqualTo(ReleaseOutcome.FREED);
    assertThat(first.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void clientsShareItAndExclusiveRequestsWaitForAllOfThem() {
    Grant mine = take(one, SHARED);
    Grant theirs = take(other, SHARED);
    World.Peer writer = world.process();
    assertThat(writer.client.lock("a").tryAcquire()).isEmpty();
    assertThat(mine.release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(writer.client.lock("a").tryAcquire()).isEmpty();
    assertThat(theirs.release()).isEqualTo(ReleaseOutcome.FREED);
    Grant exclusive = writer.client.lock("a").tryAcquire().orElseThrow();
    assertThat(exclusive.token()).isGreaterThan(mine.token()).isGreaterThan(theirs.token());
    assertThat(mayShare(one)).isFalse();
  }

  @Test
  void aThreadThatHasItDoesNotAskAgain() {
    Grant unused = one.client.lock("a").acquire(SHARED);
    assertThatThrownBy(() -> one.client.lock("a").acquire(SHARED))
        .isInstanceOf(AlreadyHeldException.class);
  }

  /** What any other client may. */
  @Test
  void aThreadThatCannotRideHasARequestOfItsOwn() {
    Grant first = take(one, SHARED.why("export"));
    for (AcquireOptions others :
        List.of(
            SHARED_ONCE.why("count"),
            SHARED_ONCE.payload(Payload.ofText("other")),
            SHARED_ONCE.ttl(World.TTL.multipliedBy(2)),
            SHARED_ONCE.lockDelay(Duration.ofSeconds(5)),
            SHARED_ONCE.cached())) {
      Optional<Grant> beside = one.client.lock("a").tryAcquire(others);
      assertThat(beside).as("a reader with %s", others).isPresent();
      beside.orElseThrow().handOver();
    }
    assertThat(other.client.find("a").orElseThrow().holders()).hasSize(6);
    assertThat(other.client.lock("a").tryAcquire()).isEmpty();
    assertThat(one.client.lock("a").tryAcquire()).isEmpty();
    assertThat(first.isHeld()).isTrue();
  }

  @Test
  void nobodyRidesOnALeastTimeButAnyoneReadsBesideIt() {
    Grant first = take(one, SHARED.atLeast(Duration.ofMinutes(1)));
    Grant second = take(one, SHARED);
    one.calls.clear();
    Grant third = take(one, SHARED);
    assertThat(one.calls).isEmpty();
    assertThat(third.token().number()).isEqualTo(second.token().number());
    assertThat(second.release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(third.release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(first.isHeld()).isTrue();
  }

  @Test
  void threadsInLineThatShareOnDifferentTermsGetItTogether() {
    Grant writing = take(one, AcquireOptions.within(LONG));
    List<CompletableFuture<Grant>> readers = new ArrayList<>();
    for (String why : List.of("one", "two", "one", "three")) {
      readers.add(one.client.lock("a").acquireAsync(SHARED.why(why)));
    }
    CompletableFuture<Grant> writer = one.client.lock("a").acquireAsync(LONG);
    writing.release();
    world.time.advance(Duration.ofSeconds(1));
    assertThat(readers).allMatch(reader -> reader.join().isHeld());
    assertThat(writer).isNotDone();
    readers.forEach(reader -> reader.join().release());
    world.time.advance(Duration.ofSeconds(1));
    assertThat(writer.join().isHeld()).isTrue();
  }

  /** It waits in the store, where a writer of another client is before it. */
  @Test
  void aThreadWithARequestOfItsOwnWaitsBehindAWriterAndGivesItUp() {
    Grant first = take(one, SHARED.why("export"));
    List<Runnable> leaves = world.join("a", 1);
    AcquireOptions counting = SHARED.why("count").maxWait(Duration.ofSeconds(3));
    assertThatThrownBy(() -> one.client.lock("a").acquire(counting))
        .isInstanceOf(LockTimeoutException.class);
    world.time.advance(Duration.ofSeconds(1));
    assertThat(other.client.find("a").orElseThrow().waiters()).hasSize(1);
    leaves.get(0).run();
    Grant second = take(one, SHARED.why("count"));
    assertThat(first.release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(second.isHeld()).isTrue();
    assertThat(second.release()).isEqualTo(ReleaseOutcome.FREED);
    assertThat(one.client.lock("a").tryAcquire()).isPresent();
  }

  /** Riders that come one after the other would keep an exclusive request out for ever. */
  @Test
  void noThreadGetsOnOnceAnotherClientWaits() {
    Grant first = take(one, SHARED);
    List<Runnable> leaves = world.join("a", 1);
    world.time.advance(HEARTBEAT.plusSeconds(1));
    assertThat(mayShare(one)).isFalse();
    leaves.get(0).run();
    world.time.advance(HEARTBEAT);
    assertThat(mayShare(one)).isTrue();
    assertThat(first.isHeld()).isTrue();
  }

  @Test
  void aThreadInLineGetsOnWhenTheStoreSaysThatNobodyWaits() {
    Grant first = take(one, SHARED);
    List<Runnable> leaves = world.join("a", 1);
    world.time.advance(HEARTBEAT.plusSeconds(1));
    world.after(Duration.ofSeconds(1), leaves.get(0));
    Grant second = take(one, SHARED);
    assertThat(second.token().number()).isEqualTo(first.token().number());
    assertThat(first.isHeld()).isTrue();
  }

  /** No other request stands behind it, which would find out. */
  @Test
  void aThreadGetsOnBehindAWaiterThatDied() {
    Grant first = take(one, SHARED);
    world.joinAndDie("a", 3);
    world.time.advance(Duration.ofMinutes(5));
    Grant second = take(one, SHARED.maxWait(Duration.ofMinutes(1)));
    assertThat(first.isHeld()).isTrue();
    assertThat(second.isHeld()).isTrue();
  }

  @Test
  void oneAttemptOfAnyClientGetsOnBehindWaitersThatDied() {
    Grant first = take(one, SHARED);
    world.joinAndDie("a", 3);
    world.time.advance(Duration.ofMinutes(5));
    assertThat(mayShare(other)).isTrue();
    world.joinAndDie("a", 3);
    world.time.advance(Duration.ofMinutes(5));
    assertThat(mayShare(one)).isTrue();
    assertThat(first.isHeld()).isTrue();
  }

  @Test
  void whatIsNotKnownCountsAsContended() {
    Grant first = take(one, SHARED);
    one.network = World.down().on("look");
    world.time.advance(HEARTBEAT.multipliedBy(2).plusSeconds(1));
    assertThat(mayShare(one)).isFalse();
    assertThat(first.isHeld()).isTrue();
  }

  @Test
  void noThreadGetsOnBehindAThreadThatWantsItAlone() {
    Grant first = take(one, SHARED);
    AtomicReference<Boolean> gotOn = new AtomicReference<>();
    world.after(Duration.ofSeconds(1), () -> gotOn.set(mayShare(one)));
    assertThatThrownBy(
            () -> one.client.lock("a").acquire(AcquireOptions.within(Duration.ofSeconds(2))))
        .isInstanceOf(LockTimeoutException.class);
    assertThat(gotOn.get()).isFalse();
    world.time.advance(Duration.ofSeconds(1)); // Its request leaves the store's queue.
    assertThat(mayShare(one)).isTrue();
    assertThat(first.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @Test
  void noReaderOfAnotherClientGetsOnBehindAThreadThatWantsItAlone() {
    Grant first = take(one, SHARED);
    CompletableFuture<Grant> alone = one.client.lock("a").acquireAsync(AcquireOptions.within(LONG));
    world.time.advance(Duration.ofSeconds(1));
    assertThat(mayShare(other)).isFalse();
    assertThat(alone).isNotDone();
    first.release();
    world.time.advance(Duration.ofSeconds(1));
    assertThat(alone.join().isHeld()).isTrue();
    assertThat(mayShare(other)).isFalse();
  }

  @Test
  void theLongestTimeOfOneRiderEndsItsGrantAlone() {
    Grant first = take(one, SHARED);
    Grant second = take(one, SHARED.atMost(Duration.ofSeconds(10)));
    world.time.advance(Duration.ofSeconds(11));
    assertThat(second.isHeld()).isFalse();
    assertThat(second.release()).isEqualTo(ReleaseOutcome.LOST);
    assertThat(first.isHeld()).isTrue();
    assertThat(other.client.lock("a").tryAcquire()).isEmpty();
    assertThat(first.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  /** The work of every rider has stopped before the lock passes on. */
  @Test
  void aRevokedRequestLeavesWithTheLastOfItsRiders() {
    Grant first = take(one, SHARED);
    Grant second = take(one, SHARED);
    other.client.revoke(other.client.find("a").orElseThrow(), RevokeWhen.SAFELY);
    world.time.advance(HEARTBEAT.plusSeconds(1));
    assertThat(first.isHeld() || second.isHeld()).isFalse();
    assertThat(first.release()).isEqualTo(ReleaseOutcome.LOST);
    world.time.advance(Duration.ofSeconds(1));
    assertThat(other.client.find("a").orElseThrow().holders()).hasSize(1);
    assertThat(second.release()).isEqualTo(ReleaseOutcome.LOST);
    world.time.advance(Duration.ofSeconds(1));
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void aSessionThatEndsTakesItFromAllRiders() {
    Grant first = take(one, SHARED);
    Grant second = take(one, SHARED);
    one.network = World.dead();
    while (one.client.health().sessions().stream()
        .anyMatch(session -> session.state() != SessionState.EXPIRED)) {
      world.time.advance(Duration.ofSeconds(1));
    }
    assertThat(first.isHeld() || second.isHeld()).isFalse();
  }

  @Test
  void aCachedOneIsTakenBySharedThreadsAndGivenBackForAnExclusiveOne() {
    Grant first = take(one, SHARED.cached());
    assertThat(first.release()).isEqualTo(ReleaseOutcome.KEPT);
    one.calls.clear();
    Grant second = take(one, SHARED.cached());
    Grant third = take(one, SHARED.cached());
    assertThat(one.calls).isEmpty();
    assertThat(second.release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(third.release()).isEqualTo(ReleaseOutcome.KEPT);
    Grant exclusive = one.client.lock("a").acquire(LONG);
    assertThat(exclusive.mode()).isEqualTo(LockMode.EXCLUSIVE);
    assertThat(exclusive.token().number()).isGreaterThan(third.token().number());
  }

  @Test
  void closingTheClientGivesBackWhatRidersHave() {
    Grant first = take(one, SHARED);
    Grant second = take(one, SHARED);
    one.client.close();
    assertThat(first.isHeld() || second.isHeld()).isFalse();
    assertThat(second.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void theLossOfARiderIsToldToItsListenersAlone() {
    Grant first = take(one, SHARED);
    Grant second = take(one, SHARED.atMost(Duration.ofSeconds(10)));
    AtomicReference<LossReason> ofFirst = new AtomicReference<>();
    AtomicReference<LossReason> ofSecond = new AtomicReference<>();
    first.onLost(ofFirst::set);
    second.onLost(ofSecond::set);
    world.time.advance(Duration.ofSeconds(11));
    assertThat(ofFirst.get()).isNull();
    assertThat(ofSecond.get()).isEqualTo(LossReason.AT_MOST_REACHED);
  }
}
