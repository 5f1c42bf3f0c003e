package io.holdfast.memory.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.world.World;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Request;
import io.holdfast.view.MultiGrant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Several locks as one: in one order, until one deadline, all or none. */
class MultiLockTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final World world = new World(Wakeup.POLL);
  private final World.Peer one = world.process();
  private final World.Peer other = world.process();

  private static List<String> names(MultiGrant grant) {
    return grant.grants().stream().map(each -> each.name().value()).toList();
  }

  private boolean isFree(String name) {
    return other.client.lock(name).tryAcquire().map(Grant::release).isPresent();
  }

  /** Another process holds it for so long. */
  private void heldFor(String name, Duration time) {
    Grant held = other.client.lock(name).acquire();
    world.after(time, held::release);
  }

  private void revoke(String name) {
    other.client.revoke(other.client.find(name).orElseThrow(), RevokeWhen.SAFELY);
    world.time.advance(World.TTL);
  }

  /** Fails calls of a verb about one lock. */
  private void failing(String verb, String name, RuntimeException failure) {
    one.network =
        sent -> {
          if (sent.is(verb) && nameOf(sent).equals(name)) {
            throw failure;
          }
          return sent.pass();
        };
  }

  private static String nameOf(World.Sent sent) {
    Object first = sent.args().get(0);
    return first instanceof Request request ? request.name().value() : first.toString();
  }

  @Test
  void theOrderIsThatOfTheBytesOfTheNamesAndOneNameIsOneLock() {
    // U+1F600 is before U+FF41 as chars, and after it as bytes.
    List<String> asked = List.of("b", "\uD83D\uDE00", "a", "B", "\uFF41", "b");
    MultiGrant grant = one.client.lockAll(asked);
    assertThat(names(grant)).containsExactly("B", "a", "b", "\uFF41", "\uD83D\uDE00");
    assertThat(grant.isHeld()).isTrue();
    assertThat(one.count("grab")).isEqualTo(5);
    asked.forEach(name -> assertThat(isFree(name)).isFalse());
  }

  @Test
  void theyAreReleasedInReverse() {
    MultiGrant grant = one.client.lockAll(List.of("a", "b", "c"));
    List<String> released = new ArrayList<>();
    one.network =
        sent -> {
          if (sent.is("release")) {
            released.add(nameOf(sent));
          }
          return sent.pass();
        };
    assertThat(grant.release())
        .isEqualTo(
            Map.of(
                new LockName("a"), ReleaseOutcome.FREED,
                new LockName("b"), ReleaseOutcome.FREED,
                new LockName("c"), ReleaseOutcome.FREED));
    assertThat(released).containsExactly("c", "b", "a");
    assertThat(grant.isHeld()).isFalse();
    assertThat(grant.release().values()).containsOnly(ReleaseOutcome.ALREADY_RELEASED);
    grant.close();
  }

  @Test
  void oneReleaseThatFailsKeepsNoneOfTheOthers() {
    MultiGrant grant = one.client.lockAll(List.of("a", "b", "c"));
    one.network =
        sent -> {
          if (sent.is("release") && nameOf(sent).equals("b")) {
            throw new StackOverflowError("in the driver");
          }
          return sent.pass();
        };
    assertThatThrownBy(grant::close).hasStackTraceContaining("in the driver");
    one.network = World.Sent::pass;
    assertThat(isFree("a")).isTrue();
    assertThat(isFree("c")).isTrue();
  }

  @Test
  void eachHasItsToken() {
    try (MultiGrant grant = one.client.lockAll(List.of("a", "b"))) {
      assertThat(grant.token("a")).isEqualTo(grant.grants().get(0).token());
      assertThat(grant.token("b")).isEqualTo(grant.grant("b").token());
      assertThatThrownBy(() -> grant.token("c"))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("[a, b]");
    }
  }

  @Test
  void noLockIsABadRequest() {
    assertThatThrownBy(() -> one.client.lockAll(List.of())).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> one.client.lockAll(List.of("a", "")))
        .isInstanceOf(BadRequestException.class);
    assertThat(one.calls).isEmpty();
  }

  @Test
  void oneDeadlineIsThatOfAll() {
    heldFor("a", Duration.ofSeconds(3));
    heldFor("b", Duration.ofSeconds(6));
    heldFor("c", LONG);
    long beganNanos = world.time.nanos();
    AcquireOptions options = AcquireOptions.within(Duration.ofSeconds(10));
    assertThatThrownBy(() -> one.client.lockAll(List.of("c", "b", "a"), options))
        .isInstanceOf(LockTimeoutException.class)
        .hasMessageContaining("after 10 s")
        .hasMessageContaining("3 locks")
        .hasMessageContaining("\"c\"");
    assertThat(Duration.ofNanos(world.time.nanos() - beganNanos)).isEqualTo(Duration.ofSeconds(10));
    assertThat(isFree("a")).isTrue();
    assertThat(isFree("b")).isTrue();
  }

  @Test
  void oneAttemptDoesNotWaitAndLeavesNothing() {
    heldFor("b", Duration.ofSeconds(3));
    long beganNanos = world.time.nanos();
    assertThat(one.client.tryLockAll(List.of("a", "b", "c"))).isEmpty();
    assertThat(world.time.nanos()).isEqualTo(beganNanos);
    assertThat(isFree("a")).isTrue();
    assertThat(one.client.tryLockAll(List.of("a", "b"), AcquireOptions.within(LONG))).isPresent();
  }

  /** The caller would wait for each of them as long as for a call. */
  @Test
  void theCallerWaitsForOneReleaseThatIsNotAnsweredAtMost() {
    heldFor("d", LONG);
    List<String> released = new ArrayList<>();
    one.network =
        sent -> {
          if (sent.is("release") && !nameOf(sent).equals("d")) {
            released.add(nameOf(sent));
            throw World.answerLost();
          }
          return sent.pass();
        };
    AcquireOptions options = AcquireOptions.within(Duration.ofSeconds(1));
    assertThat(one.client.tryLockAll(List.of("a", "b", "c", "d"), options)).isEmpty();
    assertThat(released).containsExactly("c");
    one.network = World.Sent::pass;
    world.time.advance(Duration.ofSeconds(5));
    assertThat(isFree("a")).isTrue();
    assertThat(isFree("b")).isTrue();
    assertThat(isFree("c")).isTrue();
  }

  @Test
  void aFailureGivesBackWhatWasTaken() {
    failing("grab", "b", World.answerLost());
    assertThatThrownBy(
            () ->
                one.client.lockAll(List.of("a", "b"), AcquireOptions.within(Duration.ofSeconds(1))))
        .isInstanceOf(BackendUnreachableException.class);
    one.network = World.Sent::pass;
    assertThat(isFree("a")).isTrue();
  }

  @Test
  void anInterruptGivesBackWhatWasTaken() {
    heldFor("b", LONG);
    Thread self = Thread.currentThread();
    world.after(Duration.ofSeconds(1), self::interrupt);
    assertThatThrownBy(() -> one.client.lockAll(List.of("a", "b")))
        .isInstanceOf(LockInterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
    world.time.advance(Duration.ofMillis(1)); // No call keeps the thread.
    assertThat(isFree("a")).isTrue();
  }

  @Test
  void aThreadThatHoldsOneOfThemIsToldSo() {
    Grant held = one.client.lock("b").acquire();
    assertThatThrownBy(() -> one.client.lockAll(List.of("a", "b")))
        .isInstanceOf(AlreadyHeldException.class);
    assertThat(one.client.tryLockAll(List.of("a", "b"), AcquireOptions.within(LONG))).isEmpty();
    assertThat(held.isHeld()).isTrue();
    assertThat(isFree("a")).isTrue();
  }

  @Test
  void theLossOfOneIsToldOnceAndTheOthersAreReleased() {
    MultiGrant grant = one.client.lockAll(List.of("a", "b", "c"));
    List<String> told = new ArrayList<>();
    grant.onLost((name, reason) -> told.add(name + " " + reason));
    revoke("b");
    assertThat(grant.isHeld()).isFalse();
    assertThat(grant.remaining()).isZero();
    assertThatThrownBy(grant::check)
        .isInstanceOfSatisfying(
            LockLostException.class,
            lost -> assertThat(lost.reason()).isEqualTo(LossReason.REVOKED));
    assertThat(grant.grant("a").isHeld()).isTrue();
    revoke("c");
    grant.onLost((name, reason) -> told.add("late " + reason));
    world.time.advance(Duration.ofSeconds(1));
    assertThat(told).containsExactly("b REVOKED", "late REVOKED");
    assertThat(grant.release().values())
        .containsExactly(ReleaseOutcome.LOST, ReleaseOutcome.LOST, ReleaseOutcome.FREED);
  }

  @Test
  void theTimesOfTheHoldBeginWhenAllAreHad() {
    heldFor("b", Duration.ofSeconds(3));
    MultiGrant grant =
        one.client.lockAll(
            List.of("a", "b"), AcquireOptions.within(LONG).atMost(Duration.ofSeconds(2)));
    assertThat(grant.isHeld()).isTrue();
    assertThat(grant.remaining()).isEqualTo(Duration.ofSeconds(2));
    grant.extend(Duration.ofSeconds(5));
    assertThat(grant.remaining()).isEqualTo(Duration.ofSeconds(5));
    world.time.advance(Duration.ofSeconds(6));
    assertThat(grant.isHeld()).isFalse();
    assertThat(isFree("a")).isTrue();
    assertThat(isFree("b")).isTrue();
  }

  @Test
  void whoDoesNotGetAllLeavesNoLeastTime() {
    heldFor("b", LONG);
    assertThat(one.client.tryLockAll(List.of("a", "b"), AcquireOptions.once().atLeast(LONG)))
        .isEmpty();
    assertThat(isFree("a")).isTrue();
  }

  @Test
  void whatIsLostWhileTheOthersAreAwaitedIsTakenAnew() {
    heldFor("b", World.TTL.multipliedBy(2));
    world.after(Duration.ofSeconds(1), () -> revoke("a"));
    MultiGrant grant = one.client.lockAll(List.of("a", "b"));
    assertThat(grant.isHeld()).isTrue();
    assertThat(one.count("grab")).isEqualTo(4);
  }

  @Test
  void whatIsLostWhenTheTimeIsUpIsNotTakenAnew() {
    one.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("grab") && nameOf(sent).equals("b")) {
            revoke("a");
          }
          return answer;
        };
    assertThatThrownBy(() -> one.client.lockAll(List.of("a", "b"), AcquireOptions.once()))
        .isInstanceOf(LockTimeoutException.class)
        .hasMessageContaining("\"a\" (it was lost");
    assertThat(one.count("grab")).isEqualTo(2);
    one.network = World.Sent::pass;
    world.time.advance(Duration.ofSeconds(1));
    assertThat(isFree("a")).isTrue();
    assertThat(isFree("b")).isTrue();
  }

  @Test
  void allAreHeldInTheModeThatWasAskedFor() {
    AcquireOptions shared = AcquireOptions.once().shared();
    MultiGrant grant = one.client.lockAll(List.of("a", "b"), shared);
    assertThat(grant.grants()).extracting(Grant::mode).containsOnly(LockMode.SHARED);
    assertThat(other.client.tryLockAll(List.of("b", "a"), shared)).isPresent();
    assertThat(world.process().client.tryLockAll(List.of("b", "a"))).isEmpty();
  }

  @Test
  void whatIsHandedOverBelongsToNobody() {
    MultiGrant grant = one.client.lockAll(List.of("a", "b"));
    grant.handOver();
    assertThatThrownBy(() -> one.client.lock("b").acquire(Duration.ofSeconds(1)))
        .isInstanceOf(LockTimeoutException.class);
  }

  @Test
  void aCheckWaitsForTheVerdictOfEach() {
    MultiGrant grant = one.client.lockAll(List.of("a", "b"));
    one.network = World.dead();
    world.time.advance(World.TTL.plusMillis(500));
    assertThat(grant.isHeld()).isFalse();
    world.after(Duration.ofSeconds(1), () -> one.network = World.Sent::pass);
    grant.check();
    assertThat(grant.isHeld()).isTrue();
    grant.release();
    assertThatThrownBy(grant::check).isInstanceOf(LockLostException.class);
  }

  @Test
  void aPrefixIsNoPartOfTheirNames() {
    World.Peer prefixed = world.new Peer("app/");
    Optional<MultiGrant> grant = prefixed.client.tryLockAll(List.of("a", "b"));
    assertThat(names(grant.orElseThrow())).containsExactly("a", "b");
    assertThat(isFree("a")).isTrue();
    assertThat(isFree("app/a")).isFalse();
  }
}
