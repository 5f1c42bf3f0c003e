package io.holdfast.memory.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.ReleaseOutcome;
import io.holdfast.Sequencer;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockLostException;
import io.holdfast.memory.world.World;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** From exclusive to shared mode, without a moment in between. */
class DowngradeTest {

  private static final Duration HEARTBEAT = World.TTL.dividedBy(3);
  private static final AcquireOptions SHARED_ONCE = AcquireOptions.once().shared();

  private final World world = new World(Wakeup.POLL);
  private final World.Peer one = world.process();
  private final World.Peer other = world.process();
  private final Grant grant = one.client.lock("a").acquire();

  private boolean othersMayShare() {
    return other.client.lock("a").tryAcquire(SHARED_ONCE).map(Grant::release).isPresent();
  }

  @Test
  void othersShareItAndNobodyHasItAlone() {
    FencingToken exclusive = grant.token();
    grant.downgrade();
    assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
    assertThat(grant.isHeld()).isTrue();
    assertThat(grant.token().number()).isGreaterThan(exclusive.number());
    Grant shared = other.client.lock("a").tryAcquire(SHARED_ONCE).orElseThrow();
    assertThat(shared.token()).isGreaterThan(exclusive);
    assertThat(world.process().client.lock("a").tryAcquire()).isEmpty();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(shared.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  /** The number that a downgrade draws was never that of an exclusive grant. */
  @Test
  void aSequencerThatIsReadBesideItHasTheModeOfItsToken() throws InterruptedException {
    Sequencer exclusive = grant.sequencer();
    AtomicReference<Sequencer> read = new AtomicReference<>();
    Thread reader = new ComparedThread(() -> read.set(grant.sequencer()), () -> grant.downgrade());
    reader.start();
    reader.join();

    assertThat(grant.sequencer())
        .isEqualTo(new Sequencer(grant.name(), LockMode.SHARED, grant.token()));
    assertThat(grant.token()).isGreaterThan(exclusive.token());
    assertThat(read).hasValueMatching(Set.of(exclusive, grant.sequencer())::contains);
  }

  /** A thread in which something happens when a grant first asks whether it belongs to it. */
  private static final class ComparedThread extends Thread {
    private final Runnable whenCompared;
    private boolean wasCompared;

    ComparedThread(Runnable body, Runnable whenCompared) {
      super(body);
      this.whenCompared = whenCompared;
    }

    @Override
    public boolean equals(Object other) {
      if (!wasCompared) {
        wasCompared = true;
        whenCompared.run();
      }
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  @Test
  void isOneCallAndNoneIfItIsSharedAlready() {
    one.calls.clear();
    grant.downgrade();
    assertThat(one.calls).hasSize(1);
    FencingToken token = grant.token();
    grant.downgrade();
    assertThat(one.calls).hasSize(1);
    assertThat(grant.token()).isEqualTo(token);
  }

  @Test
  void threadsOfTheClientGetOnOnceItIsKnownThatNobodyWaits() {
    grant.downgrade();
    grant.handOver();
    assertThat(one.client.lock("a").tryAcquire(SHARED_ONCE)).isEmpty();
    world.time.advance(HEARTBEAT.plusSeconds(1));
    assertThat(one.client.lock("a").tryAcquire(SHARED_ONCE)).isPresent();
  }

  /** What any other client may do at once. */
  @Test
  void aThreadInLineThatSharesItOnOtherTermsGetsItAtOnce() {
    CompletableFuture<Grant> reader =
        one.client
            .lock("a")
            .acquireAsync(AcquireOptions.within(Duration.ofHours(1)).shared().why("count"));
    grant.downgrade();
    world.time.advance(Duration.ZERO);
    assertThat(reader).isDone();
    assertThat(reader.join().isHeld()).isTrue();
    assertThat(grant.isHeld()).isTrue();
  }

  /** A copy that was not answered may have let others in: it is repeated until it is answered. */
  @Test
  void countsAsSharedWhateverIsAnswered() {
    FencingToken exclusive = grant.token();
    List<World.Sent> late = new ArrayList<>();
    one.network =
        sent -> {
          if (sent.is("downgrade")) {
            late.add(sent);
            throw World.answerLost();
          }
          return sent.pass();
        };
    assertThatThrownBy(grant::downgrade).isInstanceOf(BackendUnreachableException.class);
    assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
    assertThat(grant.isHeld()).isTrue();
    late.get(0).arrive();
    assertThat(othersMayShare()).isTrue();
    one.network = World.Sent::pass;
    world.time.advance(HEARTBEAT.plusSeconds(1));
    assertThat(grant.token()).isGreaterThan(exclusive);
    assertThat(one.count("downgrade")).isGreaterThanOrEqualTo(2);
    long calls = one.count("downgrade");
    world.time.advance(HEARTBEAT.multipliedBy(3));
    assertThat(one.count("downgrade")).isEqualTo(calls);
  }

  @Test
  void aReleaseEndsItsRepetition() {
    one.network =
        sent -> {
          if (sent.is("downgrade")) {
            throw World.answerLost();
          }
          return sent.pass();
        };
    assertThatThrownBy(grant::downgrade).isInstanceOf(BackendUnreachableException.class);
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
    one.calls.clear();
    world.time.advance(HEARTBEAT.multipliedBy(3));
    assertThat(one.count("downgrade")).isZero();
  }

  @Test
  void whereTheStoreHasNoSharedModeTheGrantStaysAsItIs() {
    one.network =
        sent -> {
          if (sent.is("downgrade")) {
            throw new BadRequestException("exclusive");
          }
          return sent.pass();
        };
    assertThatThrownBy(grant::downgrade).isInstanceOf(BadRequestException.class);
    assertThat(grant.mode()).isEqualTo(LockMode.EXCLUSIVE);
    assertThat(grant.isHeld()).isTrue();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  /** Its number is not known: no thread gets a token of it. */
  @Test
  void isNeitherKeptNorPassedOnBeforeItIsAnswered() {
    grant.release();
    Grant cached = one.client.lock("a").acquire(AcquireOptions.forever().cached());
    one.network =
        sent -> {
          if (sent.is("downgrade")) {
            throw World.answerLost();
          }
          return sent.pass();
        };
    assertThatThrownBy(cached::downgrade).isInstanceOf(BackendUnreachableException.class);
    assertThat(cached.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @Test
  void anAnswerThatComesAfterTheLossChangesNothing() {
    grant.release();
    Grant brief =
        one.client.lock("a").acquire(AcquireOptions.forever().atMost(Duration.ofSeconds(1)));
    FencingToken token = brief.token();
    one.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("downgrade")) {
            world.time.advance(Duration.ofSeconds(2));
          } else if (sent.is("release")) {
            throw World.answerLost();
          }
          return answer;
        };
    assertThatThrownBy(brief::downgrade).isInstanceOf(LockLostException.class);
    assertThat(brief.token()).isEqualTo(token);
    world.time.advance(HEARTBEAT.multipliedBy(3));
    one.network = World.Sent::pass;
    world.time.advance(HEARTBEAT.multipliedBy(3));
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void whatIsLostOrReleasedIsNotDowngraded() {
    grant.release();
    assertThatThrownBy(grant::downgrade).isInstanceOf(LockLostException.class);
    assertThat(one.count("downgrade")).isZero();
  }

  @Test
  void whatTheStoreDoesNotKnowIsLost() {
    one.network = sent -> sent.is("downgrade") ? OptionalLong.empty() : sent.pass();
    assertThatThrownBy(grant::downgrade).isInstanceOf(LockLostException.class);
    assertThat(grant.isHeld()).isFalse();
    assertThatThrownBy(grant::check).isInstanceOf(LockLostException.class);
  }

  /** The copy that was not answered may have been done, whatever a later one is told. */
  @Test
  void countsAsSharedAlsoIfTheStoreRefusesToRepeatWhatItDid() {
    List<World.Sent> sent = new ArrayList<>();
    World.Network done =
        call -> {
          sent.add(call);
          if (sent.size() == 1) {
            Object unheard = call.pass();
            assert unheard != null;
            throw World.answerLost();
          }
          throw new BackendUnusableException("no permission any more");
        };
    one.network = done.on("downgrade");
    assertThatThrownBy(grant::downgrade).isInstanceOf(BackendUnreachableException.class);
    Grant shared = other.client.lock("a").tryAcquire(SHARED_ONCE).orElseThrow();

    world.time.advance(HEARTBEAT.multipliedBy(2));

    assertThat(sent).hasSizeGreaterThan(1);
    assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
    grant.handOver();
    grant.release();
    assertThat(one.client.lock("a").tryAcquire()).isEmpty();
    assertThat(shared.isHeld()).isTrue();
  }

  /** The caller has stopped writing, and learns nothing more. */
  @Test
  void countsAsSharedAlsoIfTheStoreRefusesForAWhile() {
    one.network =
        sent -> {
          if (sent.is("downgrade")) {
            throw new BackendUnusableException("no permission");
          }
          return sent.pass();
        };
    assertThatThrownBy(grant::downgrade).isInstanceOf(BackendUnusableException.class);
    assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
    assertThat(othersMayShare()).isFalse();

    one.network = World.Sent::pass;
    world.time.advance(HEARTBEAT.multipliedBy(2));

    assertThat(othersMayShare()).isTrue();
    assertThat(grant.isHeld()).isTrue();
  }

  /** Else its session would be told of the revocation for ever. */
  @Test
  void whatTheStoreDoesNotKnowIsForgotten() {
    LockRecord seen = other.client.find("a").orElseThrow();
    other.client.revoke(seen, RevokeWhen.NOW);
    assertThatThrownBy(grant::downgrade).isInstanceOf(LockLostException.class);
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.LOST);

    world.time.advance(HEARTBEAT.multipliedBy(4));

    assertThat(one.count("acknowledge")).isEqualTo(1);
    assertThat(one.client.lock("a").tryAcquire()).isPresent();
  }
}
