package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Health.SessionHealth;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.world.World;
import io.holdfast.record.Holder;
import io.holdfast.record.RequestId;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.time.VirtualSeam;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Leaving what is held to a later life, and going on with it. */
class ResumeTest {

  private static final Duration LONG = Duration.ofHours(1);
  private static final AcquireOptions SHARED_ONCE = AcquireOptions.once().shared();

  private final World world = new World(Wakeup.PUSH);
  private final World.Peer before = world.process();
  private final World.Peer after = world.process();
  private final World.Peer other = world.process();

  private SessionId orphan() {
    List<SessionId> orphans = before.client.orphan();
    assertThat(orphans).hasSize(1);
    return orphans.get(0);
  }

  @Test
  void whatAnOrphanHeldIsHeldOnWithTheSameNumberAndAGreaterToken() {
    Grant held = before.client.lock("a").acquire();
    SessionId orphan = orphan();
    assertThat(held.isHeld()).isFalse();
    assertThat(held.release()).isEqualTo(ReleaseOutcome.ORPHANED);
    assertThatThrownBy(held::check)
        .isInstanceOfSatisfying(
            LockLostException.class,
            lost -> assertThat(lost.reason()).isEqualTo(LossReason.ORPHANED));

    List<Grant> resumed = after.client.resume(orphan);

    assertThat(resumed).hasSize(1);
    Grant grant = resumed.get(0);
    assertThat(grant.token()).isGreaterThan(held.token());
    assertThat(grant.token().number()).isEqualTo(held.token().number());
    assertThat(grant.name()).isEqualTo(held.name());
    world.after(World.TTL.multipliedBy(5), grant::release);
    Grant next = other.client.lock("a").acquire(LONG);
    assertThat(next.token()).isGreaterThan(grant.token());
    assertThat(Duration.ofNanos(world.time.nanos())).isGreaterThan(World.TTL.multipliedBy(4));
  }

  @Test
  void aSessionWhoseLeaseRanOutWhileItWasResumedHoldsNothing() {
    Grant held = before.client.lock("a").acquire();
    SessionId orphan = orphan();
    World.Peer hasty = world.new Peer(World.TTL, Optional.of(Duration.ZERO), false);
    hasty.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("look")) {
            world.time.advance(World.TTL); // The answer comes when the lease has run out.
          }
          return answer;
        };

    List<Grant> resumed = hasty.client.resume(orphan);

    assertThat(resumed).hasSize(1);
    assertThat(resumed.get(0).token().number()).isEqualTo(held.token().number());
    assertThatThrownBy(resumed.get(0)::check).isInstanceOf(LockLostException.class);
    assertThat(resumed.get(0).release()).isEqualTo(ReleaseOutcome.LOST);
    world.time.advance(Duration.ofSeconds(1));
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  /** It may come when the next life has found that the lock is its own alone. */
  @Test
  void aSessionWithADowngradeOnItsWayIsLeftToNobody() {
    Grant held = before.client.lock("a").acquire();
    before.network =
        sent -> {
          if (sent.is("downgrade")) {
            throw World.answerLost();
          }
          return sent.pass();
        };
    assertThatThrownBy(held::downgrade).isInstanceOf(BackendUnreachableException.class);

    assertThat(before.client.orphan()).isEmpty();
  }

  /** Otherwise a lock that was given back would look like that of a holder that has died. */
  @Test
  void aResumedSessionEndsWhenTheReleaseThatIsBeingRepeatedIsAnswered() {
    Grant held =
        before.client.lock("a").acquire(AcquireOptions.forever().lockDelay(Duration.ofMinutes(1)));
    Grant resumed = after.client.resume(orphan()).get(0);
    after.network = World.down().on("release");
    resumed.release();
    world.time.advance(Duration.ofSeconds(5));
    after.network = World.Sent::pass;
    world.time.advance(Duration.ofSeconds(5));

    Optional<Grant> next = other.client.lock("a").tryAcquire();
    assertThat(next.map(Grant::token))
        .hasValueSatisfying(t -> assertThat(t).isGreaterThan(held.token()));
    assertThat(after.client.health().sessions()).isEmpty();
  }

  /** As if the process had died while the store worked at its request. */
  @Test
  void aGrabThatIsDoneAfterTheSessionWasResumedIsTakenOut() {
    Grant held = before.client.lock("a").acquire();
    SessionId session = before.client.health().sessions().get(0).id();
    List<World.Sent> late = new ArrayList<>();
    before.network =
        sent -> {
          if (sent.is("grab")) {
            late.add(sent);
          }
          throw new VirtualSeam.Hang();
        };
    var unused = before.client.lock("b").acquireAsync();
    world.time.advance(Duration.ofMillis(1));

    Grant resumed = after.client.resume(session).get(0);
    late.get(0).arrive();
    assertThat(other.client.lock("b").tryAcquire()).isEmpty();
    world.time.advance(World.TTL);

    assertThat(other.client.lock("b").tryAcquire()).isPresent();
    assertThat(resumed.isHeld()).isTrue();
    assertThat(resumed.token()).isGreaterThan(held.token());
  }

  /** As if a repeated grab had been granted before the first copy of it was done. */
  @Test
  void aLateCopyOfAGrabThatWasResumedIsTakenOutAfterItsRelease() {
    List<World.Sent> late = new ArrayList<>();
    before.network =
        sent -> {
          if (sent.is("grab") && late.isEmpty()) {
            late.add(sent);
            throw World.answerLost();
          }
          return sent.pass();
        };
    Grant held = before.client.lock("a").acquire(LONG);
    before.network = World.Sent::pass;
    Grant other = before.client.lock("b").acquire();
    SessionId session = before.client.health().sessions().get(0).id();
    before.network = World.dead();
    List<Grant> resumed = after.client.resume(session);
    assertThat(resumed).hasSize(2);
    resumed.stream().filter(grant -> grant.name().equals(held.name())).forEach(Grant::release);

    late.get(0).arrive();
    assertThat(this.other.client.lock("a").tryAcquire()).isEmpty();
    world.time.advance(World.TTL);

    assertThat(this.other.client.lock("a").tryAcquire()).isPresent();
    assertThat(resumed)
        .filteredOn(grant -> grant.name().equals(other.name()))
        .allMatch(Grant::isHeld);
  }

  /**
   * A late copy of a request that was turned away from shares the lock with its successor, and
   * cannot be told from a grant on other terms.
   */
  @Test
  void aLateCopyThatSharesALockIsOneMoreGrant() {
    before.network =
        sent -> {
          if (sent.is("grab")) {
            sent.pass();
            throw World.answerLost();
          }
          if (sent.is("release")) {
            throw World.unreachable();
          }
          return sent.pass();
        };
    assertThatThrownBy(() -> before.client.lock("a").tryAcquire(SHARED_ONCE))
        .isInstanceOf(BackendUnreachableException.class);
    before.network = World.dead().on("release");
    Grant held = before.client.lock("a").tryAcquire(SHARED_ONCE).orElseThrow();
    SessionId session = before.client.health().sessions().get(0).id();
    before.network = World.dead();

    List<Grant> resumed = after.client.resume(session);

    assertThat(resumed).hasSize(2);
    assertThat(resumed.get(1).token()).isGreaterThan(held.token());
    assertThat(resumed.get(0).release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(other.client.find("a").orElseThrow().holders())
        .extracting(Holder::request)
        .containsExactly(new RequestId(session, 2));
    assertThat(resumed.get(1).release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @Test
  void readersOfOneSessionThatShareALockOnDifferentTermsAreAllResumed() {
    Grant export = take(before, SHARED_ONCE.why("export").lockDelay(LONG));
    Grant count = take(before, SHARED_ONCE.why("count"));

    List<Grant> resumed = after.client.resume(orphan());

    assertThat(resumed)
        .extracting(grant -> grant.token().number())
        .containsExactlyInAnyOrder(export.token().number(), count.token().number());
    world.time.advance(World.TTL.multipliedBy(3));
    assertThat(resumed).allMatch(Grant::isHeld);
    resumed.forEach(Grant::release);
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void readersOfTwoSessionsThatShareALockAreAllResumed() {
    AcquireOptions longer = SHARED_ONCE.ttl(World.TTL.multipliedBy(2));
    take(before, SHARED_ONCE);
    take(before, longer);
    assertThat(before.client.lock("b").tryAcquire(longer)).isPresent();
    List<SessionId> orphans = before.client.orphan();
    assertThat(orphans).hasSize(2);

    List<Grant> resumed =
        orphans.stream().flatMap(orphan -> after.client.resume(orphan).stream()).toList();

    assertThat(resumed)
        .extracting(grant -> grant.name().value())
        .containsExactlyInAnyOrder("a", "a", "b");
    world.time.advance(World.TTL.multipliedBy(5));
    assertThat(resumed).allMatch(Grant::isHeld);
    assertThat(other.client.lock("a").tryAcquire()).isEmpty();
    resumed.forEach(Grant::release);
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
    assertThat(after.client.health().sessions()).isEmpty();
  }

  @Test
  void whatOtherThreadsWaitForIsNotResumedBesideAReaderOfThisClient() {
    take(before, SHARED_ONCE);
    SessionId orphan = orphan();
    Grant reader = take(after, SHARED_ONCE);
    CompletableFuture<Grant> writer = after.client.lock("a").acquireAsync(LONG);

    assertBadRequest(orphan);

    assertThat(reader.isHeld()).isTrue();
    assertThat(writer).isNotDone();
  }

  /** Takes it as a thread of its own would: the test's thread goes on without it. */
  private static Grant take(World.Peer peer, AcquireOptions options) {
    Grant grant = peer.client.lock("a").tryAcquire(options).orElseThrow();
    grant.handOver();
    return grant;
  }

  @Test
  void whatNobodyResumesPassesOnAfterItsTtl() {
    Grant held = before.client.lock("a").acquire();
    SessionId orphan = orphan();
    assertThat(other.client.lock("a").tryAcquire()).isEmpty();

    Grant next = other.client.lock("a").acquire(LONG);

    assertThat(next.token()).isGreaterThan(held.token());
    assertThat(after.client.resume(orphan)).isEmpty();
    assertThat(next.isHeld()).isTrue();
  }

  @Test
  void waitsOfAnOrphanEndAndLeaveNothingInAnyQueue() {
    Grant awaited = other.client.lock("b").acquire();
    Grant kept = before.client.lock("a").acquire();
    world.after(Duration.ofSeconds(1), before.client::orphan);

    assertThatThrownBy(() -> before.client.lock("b").acquire())
        .isInstanceOf(ClientClosedException.class);

    assertThat(kept.isHeld()).isFalse();
    assertThat(other.client.find("b").orElseThrow().waiters()).isEmpty();
    assertThat(awaited.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @Test
  void whatWasRevokedMeanwhileIsNotHeldOnButGivenBack() {
    Grant held = before.client.lock("a").acquire();
    before.client.lock("b").acquire();
    SessionId orphan = orphan();
    other.client.revoke(other.client.find("a").orElseThrow(), RevokeWhen.SAFELY);

    List<Grant> resumed = after.client.resume(orphan);

    assertThat(resumed).extracting(Grant::name).extracting(Object::toString).containsExactly("b");
    Grant next = other.client.lock("a").acquire(Duration.ofSeconds(1));
    assertThat(next.token()).isGreaterThan(held.token());
  }

  @Test
  void aResumedSessionServesNothingElseAndEndsWithItsLastGrant() {
    before.client.lock("a").acquire();
    SessionId orphan = orphan();
    Grant grant = after.client.resume(orphan).get(0);

    Grant another = after.client.lock("b").acquire();

    assertThat(after.client.health().sessions())
        .filteredOn(session -> session.id().equals(orphan))
        .extracting(SessionHealth::grants)
        .containsExactly(1);
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
    assertThat(after.client.health().sessions())
        .extracting(SessionHealth::id)
        .doesNotContain(orphan);
    assertThat(another.isHeld()).isTrue();
  }

  @Test
  void whatThisClientUsesItselfIsNotResumed() {
    Grant own = after.client.lock("own").acquire();
    SessionId session = after.client.health().sessions().get(0).id();
    before.client.lock("a").acquire();
    SessionId orphan = orphan();
    world.after(Duration.ofSeconds(1), () -> assertBadRequest(orphan));

    assertBadRequest(session);
    assertThat(after.client.lock("a").tryAcquire(AcquireOptions.within(Duration.ofSeconds(2))))
        .isEmpty();
    assertThat(own.isHeld()).isTrue();
    own.release();
    assertBadRequest(session); // It holds nothing, but this client will use it again.
  }

  @Test
  void ofTwoThatResumeOneSessionAtOnceOneDoes() {
    before.client.lock("a").acquire();
    SessionId orphan = orphan();
    List<Grant> resumed = new ArrayList<>();
    AtomicBoolean isFirst = new AtomicBoolean(true);
    after.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("look") && isFirst.getAndSet(false)) {
            resumed.addAll(after.client.resume(orphan)); // Another thread overtakes this one.
          }
          return answer;
        };

    assertBadRequest(orphan);

    assertThat(resumed).hasSize(1);
    assertThat(resumed.get(0).isHeld()).isTrue();
  }

  private void assertBadRequest(SessionId session) {
    assertThatThrownBy(() -> after.client.resume(session)).isInstanceOf(BadRequestException.class);
  }

  @Test
  void aSessionOfAnotherPrefixIsNotResumed() {
    before.client.lock("a").acquire();
    SessionId orphan = orphan();
    World.Peer prefixed = world.new Peer("shop/");

    assertThatThrownBy(() -> prefixed.client.resume(orphan))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("shop/");
    assertThat(after.client.resume(orphan)).hasSize(1);
  }

  @Test
  void aGrabUnderWayWhenTheSessionIsOrphanedIsNotResumedAsAGrant() {
    Grant held = before.client.lock("b").acquire();
    before.seam.latency(Duration.ofMillis(50));
    List<SessionId> orphans = new ArrayList<>();
    world.after(Duration.ofMillis(60), () -> orphans.addAll(before.client.orphan()));
    assertThatThrownBy(
            () -> before.client.lock("a").acquire(AcquireOptions.forever().uninterruptibly()))
        .isInstanceOf(ClientClosedException.class);
    assertThat(held.isHeld()).isFalse();
    assertThat(orphans).hasSize(1);
    assertThat(after.client.resume(orphans.get(0)))
        .extracting(grant -> grant.name().value())
        .containsExactly("b");
  }

  @Test
  void aGrantWhoseTimeIsUpIsNotResumed() {
    List<SessionId> orphans = new ArrayList<>();
    Duration atMost = Duration.ofMinutes(1);
    world.after(atMost, () -> orphans.addAll(before.client.orphan())); // Before the timer.
    Grant grant = before.client.lock("a").acquire(AcquireOptions.once().atMost(atMost));
    world.time.advance(atMost);
    assertThat(grant.isHeld()).isFalse();
    for (SessionId orphan : orphans) {
      assertThat(after.client.resume(orphan)).isEmpty();
    }
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }
}
