package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.memory.world.World;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.time.VirtualSeam;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls whose answers, or copies of which, come late or never. */
class LostReplyTest {

  private static final Duration LONG = Duration.ofHours(1);

  private static final AcquireOptions DELAYED = AcquireOptions.once().lockDelay(LONG);

  /** Nothing is answered; what was sent may arrive later. */
  private static World.Network lostAt(List<World.Sent> copies) {
    return sent -> {
      copies.add(sent);
      throw World.answerLost();
    };
  }

  /** Asks once for the lock "a" with a lock-delay; returns what may arrive later. */
  private static List<World.Sent> grabIsNotAnswered(World.Peer process) {
    List<World.Sent> copies = new ArrayList<>();
    process.network = lostAt(copies).on("grab");
    assertThatThrownBy(() -> process.client.lock("a").tryAcquire(DELAYED))
        .isInstanceOf(BackendUnreachableException.class);
    return copies;
  }

  @ParameterizedTest
  @EnumSource
  void aGrabWhoseAnswerWasLostIsRepeatedAndIsOneGrant(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    List<Object> numbers = new ArrayList<>();
    process.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("grab")) {
            numbers.add(answer);
            if (numbers.size() < 3) {
              throw World.answerLost();
            }
          }
          return answer;
        };
    Grant grant = process.client.lock("a").acquire(LONG);
    assertThat(numbers).hasSize(3);
    assertThat(numbers.get(2)).isEqualTo(numbers.get(0));
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @ParameterizedTest
  @EnumSource
  void aLateCopyOfAGrabIsTakenBack(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    List<World.Sent> copies = new ArrayList<>();
    process.network =
        sent -> {
          if (sent.is("grab") && copies.isEmpty()) {
            copies.add(sent);
            throw World.answerLost();
          }
          return sent.pass();
        };
    process.client.lock("a").acquire(LONG).release();
    copies.get(0).arrive();
    assertThat(world.process().client.lock("a").tryAcquire()).isEmpty();
    world.time.advance(Duration.ofSeconds(6));
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void aLateCopyOfARefusedOrGivenUpGrabIsTakenBack(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    List<World.Sent> copies = new ArrayList<>();
    process.network = lostAt(copies).on("grab");
    assertThatThrownBy(() -> process.client.lock("a").tryAcquire())
        .isInstanceOf(BackendUnreachableException.class);
    assertThatThrownBy(() -> process.client.lock("b").acquire(Duration.ofSeconds(2)))
        .isInstanceOf(BackendUnreachableException.class);
    // Something else keeps the session in use.
    process.network = World.Sent::pass;
    process.client.lock("c").acquire();
    world.time.advance(Duration.ofMinutes(1));
    copies.forEach(World.Sent::arrive);
    world.time.advance(Duration.ofSeconds(6));
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
    assertThat(world.process().client.lock("b").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void anOvertakeThatArrivesAfterItsWaiterGaveUpIsTakenBack(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer dead = world.process();
    World.Peer waiter = world.process();
    dead.client.lock("a").acquire();
    dead.network = World.dead();
    waiter.client.lock("another").acquire(); // Keeps the session in use.
    List<World.Sent> copies = new ArrayList<>();
    waiter.network =
        sent -> {
          if (sent.is("overtake")) {
            copies.add(sent);
            throw new VirtualSeam.Hang();
          }
          return sent.pass();
        };
    // The dead holder's time is over after 16 s, and a heartbeat finds that at 20 s at the latest.
    assertThatThrownBy(() -> waiter.client.lock("a").acquire(Duration.ofSeconds(21)))
        .isInstanceOf(LockTimeoutException.class);
    assertThat(copies).isNotEmpty();
    world.time.advance(Duration.ofMillis(100));
    waiter.network = World.Sent::pass;
    copies.forEach(World.Sent::arrive);
    world.time.advance(Duration.ofSeconds(6));
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void tooManyUnsettledRequestsMeanAFreshSession(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    Grant kept = process.client.lock("kept").acquire();
    for (int i = 0; i < 40; i++) {
      process.network =
          sent -> {
            if (sent.is("grab")) {
              throw World.answerLost();
            }
            return sent.pass();
          };
      String name = "lock " + i;
      assertThatThrownBy(() -> process.client.lock(name).tryAcquire())
          .isInstanceOf(BackendUnreachableException.class);
    }
    process.network = World.Sent::pass;
    assertThat(process.count("open")).isEqualTo(2);
    world.time.advance(Duration.ofMinutes(1));
    assertThat(kept.isHeld()).isTrue();
    assertThat(process.client.health().sessions()).hasSizeGreaterThanOrEqualTo(1);
    kept.release();
    world.time.advance(Duration.ofSeconds(1));
    assertThat(process.count("end")).isGreaterThanOrEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aSessionWithTooManyUnsettledRequestsTakesTheLastOneBackBeforeItEnds(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    World.Peer other = world.process();
    for (int i = 0; i < 33; i++) {
      boolean isLast = i == 32;
      process.network =
          sent -> {
            if (sent.is("grab")) {
              if (isLast) {
                sent.pass();
              }
              throw World.answerLost();
            }
            return sent.pass();
          };
      String name = "lock " + i;
      assertThatThrownBy(() -> process.client.lock(name).tryAcquire(DELAYED))
          .isInstanceOf(BackendUnreachableException.class);
      world.time.advance(Duration.ofSeconds(1)); // It is taken back.
    }
    process.network = World.Sent::pass;
    world.time.advance(Duration.ofSeconds(10));
    assertThat(process.count("end")).isEqualTo(1);
    assertThat(other.client.lock("lock 32").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void aLateCopyWithALockDelayIsTakenBackBeforeItsClientHasClosed(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    List<World.Sent> copies = grabIsNotAnswered(process);
    world.time.advance(Duration.ofSeconds(1));
    process.network = World.down().on("release");
    copies.forEach(World.Sent::arrive);
    long before = process.count("release");
    world.time.advance(Duration.ofSeconds(6)); // A heartbeat finds it, and cannot take it back.
    assertThat(process.count("release")).isGreaterThan(before);
    world.after(Duration.ofSeconds(2), () -> process.network = World.Sent::pass);
    process.client.close();
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  /** No heartbeat finds it before. */
  @ParameterizedTest
  @EnumSource
  void aLateCopyWithALockDelayIsTakenBackByItsClientThatClosesAtOnce(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    List<World.Sent> copies = grabIsNotAnswered(process);
    world.time.advance(Duration.ofSeconds(1));
    process.network = World.Sent::pass;
    copies.forEach(World.Sent::arrive);
    process.client.close();
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void aCopyWithALockDelayThatComesJustBeforeTheEndOfItsSessionIsTakenBack(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    List<World.Sent> copies = grabIsNotAnswered(process);
    process.network =
        sent -> {
          if (sent.is("end")) {
            copies.forEach(World.Sent::arrive);
          }
          return sent.pass();
        };
    process.client.close();
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  /** The last of its copies comes when no heartbeat looks any more. */
  @ParameterizedTest
  @EnumSource
  void anIdleSessionTakesALateCopyWithALockDelayBackBeforeItEnds(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    List<World.Sent> copies = grabIsNotAnswered(process);
    int[] looks = {0};
    process.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("look") && ++looks[0] == 12) {
            copies.forEach(World.Sent::arrive);
          }
          return answer;
        };
    world.time.advance(Duration.ofMinutes(5));
    assertThat(looks[0]).isGreaterThanOrEqualTo(12);
    assertThat(process.count("end")).isEqualTo(1);
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  /** It takes no further request: one would keep it, and the copy is looked for no more. */
  @ParameterizedTest
  @EnumSource
  void anIdleSessionThatHasForgottenALateCopyEnds(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    List<World.Sent> copies = grabIsNotAnswered(process);
    long released = process.count("release");
    process.network = World.Sent::pass;
    for (int i = 0; i < 600 && process.count("release") == released; i++) {
      world.time.advance(Duration.ofSeconds(1));
    }
    Grant other = process.client.lock("c").acquire();
    world.time.advance(Duration.ofSeconds(10));
    copies.forEach(World.Sent::arrive);
    world.time.advance(Duration.ofMinutes(5));
    assertThat(other.isHeld()).isTrue();
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void anOpeningThatWasNotAnsweredIsNeverRepeated(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    List<World.Sent> openings = new ArrayList<>();
    process.network =
        sent -> {
          if (sent.is("open")) {
            openings.add(sent);
            if (openings.size() == 1) {
              throw World.answerLost();
            }
          }
          return sent.pass();
        };
    process.client.lock("a").acquire(LONG);
    assertThat(openings).hasSize(2);
    assertThat(openings.get(0).args().get(0)).isNotEqualTo(openings.get(1).args().get(0));
  }

  @ParameterizedTest
  @EnumSource
  void aReleaseThatFailsIsRepeatedUntilItSucceeds(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    World.Peer other = world.process();
    Grant grant = process.client.lock("a").acquire();
    int[] releases = {0};
    process.network =
        sent -> {
          if (sent.is("release") && releases[0]++ < 5) {
            throw releases[0] % 2 == 0 ? World.unreachable() : World.answerLost();
          }
          return sent.pass();
        };
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.PENDING);
    assertThat(grant.isHeld()).isFalse();
    assertThat(other.client.lock("a").tryAcquire()).isEmpty();
    world.time.advance(Duration.ofSeconds(2));
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
  }

  @ParameterizedTest
  @EnumSource
  void aReleaseThatNeverSucceedsHoldsTheLockForNobodyForLong(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    Grant grant = process.client.lock("a").acquire();
    process.network = World.down().on("release");
    grant.release();
    world.time.advance(Duration.ofMinutes(2));
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  /** Its end would begin the lock-delay of a lock that was given back. */
  @ParameterizedTest
  @EnumSource
  void aSessionLivesWhileAReleaseWithALockDelayIsRepeated(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    Grant grant = process.client.lock("a").tryAcquire(DELAYED).orElseThrow();
    process.network = World.down().on("release");
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.PENDING);
    world.time.advance(Duration.ofMinutes(10));
    process.network = World.Sent::pass;
    world.time.advance(Duration.ofSeconds(3));
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
    world.time.advance(Duration.ofMinutes(2));
    assertThat(process.count("end")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aReleaseThatNeverSucceedsHoldsTheLockForTwiceItsLockDelayAtMost(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    AcquireOptions delayed = AcquireOptions.once().lockDelay(Duration.ofMinutes(5));
    Grant grant = process.client.lock("a").tryAcquire(delayed).orElseThrow();
    process.network = World.down().on("release");
    grant.release();
    world.time.advance(Duration.ofMinutes(7)); // Its session has been idle for 2 min, and ends.
    World.Peer other = world.process();
    assertThat(other.client.lock("a").tryAcquire()).isEmpty(); // Now its lock-delay begins.
    world.time.advance(Duration.ofMinutes(6));
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }
}
