package io.holdfast.memory.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.memory.world.World;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A number goes from thread to thread of one client without a call to the store. */
class PassingOnTest {

  private static final Duration MOMENT = Duration.ofMillis(1);
  private static final AcquireOptions PLAIN = AcquireOptions.within(Duration.ofSeconds(50));

  private final World world = new World(Wakeup.POLL);
  private final World.Peer one = world.process();
  private final List<ReleaseOutcome> outcomes = new ArrayList<>();

  private Grant take(AcquireOptions options) {
    return one.client.lock("a").acquire(options);
  }

  /** Another thread asks, and gets the lock once it was given back. */
  private Grant next(Grant held, Duration work, AcquireOptions options) {
    held.handOver();
    world.after(work, () -> outcomes.add(held.release()));
    return take(options);
  }

  @Test
  void theNextThreadGetsTheNextLocalPart() {
    Grant first = take(PLAIN);
    Grant second = next(first, MOMENT, PLAIN);
    Grant third = next(second, MOMENT, PLAIN);
    long number = first.token().number();
    assertThat(List.of(first.token(), second.token(), third.token()))
        .containsExactly(
            FencingToken.of(number, 0), FencingToken.of(number, 1), FencingToken.of(number, 2));
    assertThat(outcomes).containsOnly(ReleaseOutcome.HANDED_ON);
    assertThat(first.isHeld()).isFalse();
    assertThat(third.isHeld()).isTrue();
    assertThat(one.count("grab")).isEqualTo(1);
    assertThat(one.count("release")).isZero();
    assertThat(third.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  /** It is not known whether another client waits, so it counts as if one did. */
  @Test
  void notLongerThanATenthOfASecondAfterTheStoreGrantedIt() {
    Grant first = take(PLAIN);
    Runnable otherLeaves = world.join("a", 1).get(0);
    Grant second = next(first, Duration.ofMillis(60), PLAIN);
    assertThat(second.token().number()).isEqualTo(first.token().number());
    second.handOver();
    world.after(Duration.ofMillis(39), () -> outcomes.add(second.release()));
    Grant third = take(PLAIN);
    assertThat(third.token().number()).isEqualTo(first.token().number());
    third.handOver();
    world.after(Duration.ofMillis(1), () -> outcomes.add(third.release()));
    world.after(Duration.ofSeconds(1), otherLeaves);
    long beforeNanos = world.time.nanos();
    Grant fourth = take(PLAIN);
    assertThat(fourth.token().number()).isGreaterThan(first.token().number());
    assertThat(Duration.ofNanos(world.time.nanos() - beforeNanos))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    assertThat(one.count("grab")).isEqualTo(2);
  }

  @Test
  void notToAThreadThatAsksForSomethingElse() {
    Grant last = take(PLAIN);
    for (AcquireOptions other :
        List.of(
            PLAIN.why("another reason"),
            PLAIN.ttl(Duration.ofSeconds(20)),
            PLAIN.ttl(Duration.ofSeconds(20)).cached())) {
      Grant next = next(last, MOMENT, other);
      assertThat(next.token().number()).isGreaterThan(last.token().number());
      last = next;
    }
    assertThat(outcomes).containsOnly(ReleaseOutcome.FREED);
  }

  @Test
  void atMostAThousandAndTwentyTwoTimes() {
    Grant first = take(PLAIN);
    Grant last = first;
    for (int i = 1; i <= 1022; i++) {
      Grant next = next(last, Duration.ofNanos(10), PLAIN);
      assertThat(next.token().value()).isEqualTo(last.token().value() + 1);
      last = next;
    }
    Grant next = next(last, Duration.ofNanos(10), PLAIN);
    assertThat(next.token().number()).isGreaterThan(last.token().number());
    assertThat(one.count("grab")).isEqualTo(2);
  }

  @Test
  void notAfterItWasRevoked() {
    AcquireOptions brief = PLAIN.ttl(Duration.ofMillis(30));
    World.Peer other = world.process();
    Grant first = take(brief);
    other.client.revoke(other.client.find("a").orElseThrow(), RevokeWhen.SAFELY);
    Grant second = next(first, Duration.ofMillis(25), brief);
    assertThat(outcomes).containsExactly(ReleaseOutcome.LOST);
    assertThat(second.token().number()).isGreaterThan(first.token().number());
  }

  @Test
  void notByASessionThatIsLate() {
    Grant first = take(PLAIN);
    one.network = World.down().on("renew");
    // The store granted it long ago; so another thread's fresh grant is what would be passed on.
    world.time.advance(Duration.ofMillis(9_960));
    assertThat(first.release()).isEqualTo(ReleaseOutcome.FREED);
    Grant second = take(PLAIN);
    Grant third = next(second, Duration.ofMillis(60), PLAIN);
    assertThat(third.token().number()).isGreaterThan(second.token().number());
  }

  @Test
  void aThreadThatHasGivenUpIsPassedOver() {
    Grant first = take(PLAIN);
    first.handOver();
    world.after(MOMENT.multipliedBy(5), () -> outcomes.add(first.release()));
    assertThatThrownBy(() -> take(AcquireOptions.within(MOMENT)))
        .isInstanceOf(LockTimeoutException.class);
    Grant second = take(PLAIN);
    assertThat(second.token()).isEqualTo(FencingToken.of(first.token().number(), 1));
  }

  @Test
  void notByAClientThatIsClosed() {
    Grant first = take(PLAIN);
    first.handOver();
    world.after(MOMENT, one.client::close);
    world.after(MOMENT.multipliedBy(2), () -> outcomes.add(first.release()));
    assertThatThrownBy(() -> take(PLAIN)).isInstanceOf(ClientClosedException.class);
    world.time.advance(Duration.ofSeconds(1));
    assertThat(outcomes).containsExactly(ReleaseOutcome.ALREADY_RELEASED);
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  /** Else the lock would stay with its holder until the session has ended. */
  @Test
  void aRevokedGrantOfAResumedSessionIsReleasedWhenItIsGivenBack() {
    assertThat(take(PLAIN).isHeld()).isTrue();
    World.Peer later = world.process();
    Grant resumed = later.client.resume(one.client.orphan().get(0)).get(0);
    later.client.revoke(later.client.find("a").orElseThrow(), RevokeWhen.SAFELY);
    world.time.advance(World.TTL.dividedBy(3).plusSeconds(1));
    assertThat(resumed.isHeld()).isFalse();
    later.calls.clear();
    assertThat(resumed.release()).isEqualTo(ReleaseOutcome.LOST);
    world.time.advance(MOMENT);
    assertThat(later.calls).contains("release");
  }

  /** Whoever resumes the session cannot know how often the number was passed on. */
  @Test
  void whoeverResumesTheSessionGetsTheLastLocalPart() {
    Grant first = take(PLAIN);
    Grant second = next(first, MOMENT, PLAIN);
    World.Peer later = world.process();
    Grant resumed = later.client.resume(one.client.orphan().get(0)).get(0);
    assertThat(resumed.token()).isEqualTo(FencingToken.of(second.token().number(), 1023));
    resumed.handOver();
    world.after(MOMENT, () -> outcomes.add(resumed.release()));
    Grant next = later.client.lock("a").acquire(PLAIN);
    assertThat(next.token().number()).isGreaterThan(resumed.token().number());
  }
}
