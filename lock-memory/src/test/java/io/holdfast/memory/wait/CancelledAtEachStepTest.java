package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockEvent;
import io.holdfast.SessionId;
import io.holdfast.memory.world.World;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.answer.Attempt;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * An acquire that is cancelled, or whose client closes, at every step of its way: whenever that is,
 * nothing is left of it, and others get the lock.
 */
class CancelledAtEachStepTest {

  private static final Duration ONE_WAY = Duration.ofMillis(10);

  /** Between any two events of the client's own. */
  private static final Duration STEP = Duration.ofMillis(5);

  /** What an acquire finds. */
  private record Scene(World world, World.Peer one) {

    static Scene of(World world) {
      World.Peer one = world.process();
      one.client.lock("first").acquire().release();
      one.seam.latency(ONE_WAY);
      return new Scene(world, one);
    }
  }

  private interface Setting {
    Scene make();
  }

  private static final AcquireOptions WAITS = AcquireOptions.forever();
  private static final AcquireOptions ONCE = AcquireOptions.within(Duration.ZERO);

  /** Ends the acquire after one more step each time, up to when it would long be over. */
  private static void atEachStep(
      Setting setting, AcquireOptions options, Duration length, boolean closes) {
    for (Duration time = Duration.ZERO; time.compareTo(length) < 0; time = time.plus(STEP)) {
      Scene scene = setting.make();
      CompletableFuture<Optional<Grant>> asked =
          scene.one.client.lock("a").tryAcquireAsync(options);
      scene.world.time.advance(time);
      if (closes) {
        scene.one.client.close();
      } else {
        // One that was granted belongs to who cancelled too late.
        boolean cancelled = asked.cancel(false);
        if (!cancelled && !asked.isCompletedExceptionally()) {
          asked.join().ifPresent(Grant::release);
        }
      }
      requireNothingLeft(scene, "ended after " + time);
    }
  }

  private static void requireNothingLeft(Scene scene, String what) {
    World.Peer other = scene.world.process();
    // Longer than leases and lock-delays last, and idle sessions are kept.
    scene.world.time.advance(Duration.ofMinutes(5));
    Set<SessionId> sessions = new HashSet<>();
    for (LockEvent event : scene.one.events) {
      if (event instanceof LockEvent.SessionOpened opened) {
        sessions.add(opened.session());
      }
    }
    LockRecord left =
        other.client.find("a").orElseGet(() -> LockRecord.unknown(other.client.lock("a").name()));
    assertThat(left.waiters())
        .as(what)
        .noneMatch(waiter -> sessions.contains(waiter.request().session()));
    assertThat(left.holders())
        .as(what)
        .noneMatch(holder -> sessions.contains(holder.request().session()));
    Grant grant = other.client.lock("a").acquire(Duration.ofMinutes(1));
    assertThat(grant.isHeld()).as(what).isTrue();
    grant.release();
  }

  private static Scene free() {
    return Scene.of(new World(Wakeup.PUSH));
  }

  private static Scene heldForAMoment() {
    Scene scene = Scene.of(new World(Wakeup.POLL));
    Grant held = scene.world.process().client.lock("a").acquire();
    scene.world.after(Duration.ofMillis(100), held::release);
    return scene;
  }

  private static Scene behindTheDead() {
    World world = new World(Wakeup.PUSH);
    world.joinAndDie("a", 3);
    world.time.advance(World.TTL.multipliedBy(2));
    return Scene.of(world);
  }

  private static Scene fullOfTheDead() {
    World world = new World(Wakeup.PUSH, 3);
    Grant held = world.process().client.lock("a").acquire();
    world.joinAndDie("a", 3);
    world.time.advance(World.TTL.multipliedBy(2));
    world.after(Duration.ofSeconds(1), held::release);
    return Scene.of(world);
  }

  private static Scene readersBehindADeadWriter() {
    World world = new World(Wakeup.PUSH);
    Grant held = world.process().client.lock("a").acquire(WAITS.shared());
    world.joinAndDie("a", 2);
    world.time.advance(World.TTL.multipliedBy(2));
    world.after(Duration.ofSeconds(1), held::release);
    return Scene.of(world);
  }

  private static Scene whoseAnswersAreLost() {
    Scene scene = free();
    int[] calls = {0};
    scene.one.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("grab", "look", "release") && calls[0]++ % 3 != 2) {
            throw World.answerLost();
          }
          return answer;
        };
    return scene;
  }

  private static Scene whoseSessionIsOver() {
    Scene scene = free();
    scene.one.network =
        sent ->
            sent.is("grab") && scene.one.count("open") == 1
                ? new Attempt.SessionOver()
                : sent.pass();
    return scene;
  }

  private static void inAllWays(Setting setting, AcquireOptions options, Duration length) {
    for (boolean closes : new boolean[] {false, true}) {
      atEachStep(setting, options, length, closes);
    }
  }

  private static void waitingAndOnce(Setting setting, Duration length) {
    inAllWays(setting, WAITS, length);
    inAllWays(setting, ONCE, length);
  }

  @Test
  void ofAFreeLock() {
    waitingAndOnce(CancelledAtEachStepTest::free, Duration.ofMillis(60));
  }

  @Test
  void ofALockThatIsHeldForAMoment() {
    waitingAndOnce(CancelledAtEachStepTest::heldForAMoment, Duration.ofMillis(400));
  }

  @Test
  void ofALockWhoseHolderAndWaitersAreDead() {
    waitingAndOnce(CancelledAtEachStepTest::behindTheDead, Duration.ofMillis(400));
  }

  @Test
  void ofALockWhoseQueueIsFullOfTheDead() {
    waitingAndOnce(CancelledAtEachStepTest::fullOfTheDead, Duration.ofMillis(400));
  }

  @Test
  void ofAShareBehindADeadWriter() {
    inAllWays(
        CancelledAtEachStepTest::readersBehindADeadWriter, ONCE.shared(), Duration.ofMillis(400));
    inAllWays(
        CancelledAtEachStepTest::readersBehindADeadWriter, WAITS.shared(), Duration.ofMillis(400));
  }

  @Test
  void ofALockWhoseAnswersAreLost() {
    waitingAndOnce(CancelledAtEachStepTest::whoseAnswersAreLost, Duration.ofMillis(400));
  }

  @Test
  void ofALockWhoseSessionIsOver() {
    waitingAndOnce(CancelledAtEachStepTest::whoseSessionIsOver, Duration.ofMillis(200));
  }
}
