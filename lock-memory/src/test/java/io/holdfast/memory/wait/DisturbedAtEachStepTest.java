package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockEvent;
import io.holdfast.SessionId;
import io.holdfast.memory.world.World;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.answer.Attempt;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An acquire that meets something at every step of its way: whenever that is, whoever still wants
 * the lock gets it, and when all have given it back nothing of them is left.
 */
@Execution(ExecutionMode.CONCURRENT)
class DisturbedAtEachStepTest {

  private static final Duration ONE_WAY = Duration.ofMillis(10);

  /** Between any two events of the client's own. */
  private static final Duration STEP = Duration.ofMillis(5);

  /** When all steps have been made. */
  private static final Duration LENGTH = Duration.ofMillis(200);

  /** What an acquire finds. */
  private record Scene(World world, World.Peer one) {

    static Scene of(World world) {
      World.Peer one = world.process();
      one.client.lock("first").acquire().release();
      one.seam.latency(ONE_WAY);
      return new Scene(world, one);
    }

    Set<SessionId> sessions() {
      Set<SessionId> sessions = new HashSet<>();
      for (LockEvent event : one.events) {
        if (event instanceof LockEvent.SessionOpened opened) {
          sessions.add(opened.session());
        }
      }
      return sessions;
    }
  }

  enum Setting {
    FREE {
      @Override
      Scene make() {
        return Scene.of(new World(Wakeup.PUSH));
      }
    },
    HELD_FOR_A_MOMENT {
      @Override
      Scene make() {
        Scene scene = Scene.of(new World(Wakeup.PUSH));
        Grant held = scene.world.process().client.lock("a").acquire();
        scene.world.after(Duration.ofMillis(100), held::release);
        return scene;
      }
    },
    HELD_WITHOUT_HINTS {
      @Override
      Scene make() {
        Scene scene = Scene.of(new World(Wakeup.POLL));
        Grant held = scene.world.process().client.lock("a").acquire();
        scene.world.after(Duration.ofMillis(100), held::release);
        return scene;
      }
    },
    BEHIND_THE_DEAD {
      @Override
      Scene make() {
        World world = new World(Wakeup.PUSH);
        world.joinAndDie("a", 3);
        world.time.advance(World.TTL.multipliedBy(2));
        return Scene.of(world);
      }
    },
    FULL_OF_THE_DEAD {
      @Override
      Scene make() {
        World world = new World(Wakeup.PUSH, 3);
        Grant held = world.process().client.lock("a").acquire();
        world.joinAndDie("a", 3);
        world.time.advance(World.TTL.multipliedBy(2));
        world.after(Duration.ofMillis(180), held::release);
        return Scene.of(world);
      }
    },
    READERS_BEFORE_A_DEAD_WRITER {
      @Override
      Scene make() {
        World world = new World(Wakeup.PUSH);
        Grant held = world.process().client.lock("a").acquire(AcquireOptions.forever().shared());
        world.joinAndDie("a", 2);
        world.time.advance(World.TTL.multipliedBy(2));
        world.after(Duration.ofMillis(180), held::release);
        return Scene.of(world);
      }
    },
    ANSWERS_ARE_LOST {
      @Override
      Scene make() {
        Scene scene = FREE.make();
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
    },
    SESSION_IS_OVER {
      @Override
      Scene make() {
        Scene scene = FREE.make();
        scene.one.network =
            sent ->
                sent.is("grab") && scene.one.count("open") == 1
                    ? new Attempt.SessionOver()
                    : sent.pass();
        return scene;
      }
    };

    abstract Scene make();
  }

  enum Disturbance {
    CANCELLED {
      @Override
      void disturb(Scene scene, CompletableFuture<Optional<Grant>> asked) {
        boolean unused = asked.cancel(false);
      }
    },
    CLIENT_CLOSED {
      @Override
      void disturb(Scene scene, CompletableFuture<Optional<Grant>> asked) {
        scene.one.client.close();
      }
    },
    PROCESS_EXITS {
      @Override
      void disturb(Scene scene, CompletableFuture<Optional<Grant>> asked) {
        scene.one.seam.exit();
      }
    },
    CLIENT_ORPHANED {
      @Override
      void disturb(Scene scene, CompletableFuture<Optional<Grant>> asked) {
        List<SessionId> unused = scene.one.client.orphan();
      }
    },
    SESSION_ENDED {
      @Override
      void disturb(Scene scene, CompletableFuture<Optional<Grant>> asked) {
        for (SessionId session : scene.sessions()) {
          Object unused =
              scene
                  .world
                  .store
                  .connect(BackendOptions.DEFAULTS)
                  .end(session, EndIf.CLOSED, Deadline.in(World.TTL));
        }
      }
    },
    REVOKED {
      @Override
      void disturb(Scene scene, CompletableFuture<Optional<Grant>> asked) {
        World.Peer operator = scene.world.process();
        LockRecord seen = operator.client.find("a").orElse(null);
        if (seen != null) {
          for (Holder holder : seen.holders()) {
            Object unused = operator.client.revoke(seen, holder, RevokeWhen.SAFELY);
          }
        }
      }
    },
    CUT_OFF_FOR_A_MOMENT {
      @Override
      void disturb(Scene scene, CompletableFuture<Optional<Grant>> asked) {
        cutOff(scene, Duration.ofSeconds(7));
      }
    },
    CUT_OFF_FOR_LONG {
      @Override
      void disturb(Scene scene, CompletableFuture<Optional<Grant>> asked) {
        cutOff(scene, Duration.ofMinutes(1));
      }
    },
    MACHINE_SLEEPS {
      @Override
      void disturb(Scene scene, CompletableFuture<Optional<Grant>> asked) {
        scene.one.seam.sleep(Duration.ofSeconds(20));
      }
    };

    abstract void disturb(Scene scene, CompletableFuture<Optional<Grant>> asked);

    private static void cutOff(Scene scene, Duration length) {
      World.Network before = scene.one.network;
      scene.one.network = World.dead();
      scene.world.after(length, () -> scene.one.network = before);
    }
  }

  /** How a client asks; the first two for another acquire, which waits behind the first. */
  private static final List<AcquireOptions> OPTIONS =
      List.of(
          AcquireOptions.forever(),
          AcquireOptions.forever().shared(),
          AcquireOptions.forever().cached(),
          AcquireOptions.forever().lockDelay(Duration.ofSeconds(5)),
          AcquireOptions.forever().atLeast(Duration.ofSeconds(1)),
          AcquireOptions.forever().atMost(Duration.ofMillis(40)),
          AcquireOptions.within(Duration.ZERO),
          AcquireOptions.within(Duration.ZERO).shared(),
          AcquireOptions.within(Duration.ofMillis(70)));

  @ParameterizedTest
  @EnumSource
  void whateverHappensNothingIsLeftAndWhoeverWantsTheLockGetsIt(Disturbance disturbance) {
    for (Setting setting : Setting.values()) {
      for (AcquireOptions first : OPTIONS) {
        for (AcquireOptions second : OPTIONS.subList(0, 2)) {
          for (Duration time = Duration.ZERO; time.compareTo(LENGTH) < 0; time = time.plus(STEP)) {
            String what = setting + ", " + first + " and " + second + ", after " + time;
            try {
              run(setting.make(), disturbance, first, second, time);
            } catch (RuntimeException | AssertionError e) {
              throw new AssertionError(what, e);
            }
          }
        }
      }
    }
  }

  private static void run(
      Scene scene,
      Disturbance disturbance,
      AcquireOptions first,
      AcquireOptions second,
      Duration time) {
    CompletableFuture<Optional<Grant>> asked = ask(scene, first);
    CompletableFuture<Optional<Grant>> behind = ask(scene, second);
    scene.world.time.advance(time);
    disturbance.disturb(scene, asked);
    // Longer than leases and lock-delays last, and idle sessions are kept.
    scene.world.time.advance(Duration.ofMinutes(5));
    assertThat(asked).as("the first").isDone();
    assertThat(behind).as("the second").isDone();
    World.Peer other = scene.world.process();
    // What is over lies there until somebody passes by, and keeps nobody waiting.
    Optional<LockRecord> left = other.client.find("a");
    assertThat(left.map(LockRecord::holders).orElse(List.of()))
        .noneMatch(holder -> holder.liveness().counts());
    for (int i = 0; i < 3; i++) { // Whatever of the client still waited would come to hold it.
      Grant grant = other.client.lock("a").acquire(Duration.ofMinutes(1));
      assertThat(grant.isHeld()).isTrue();
      grant.release();
    }
  }

  /** Asks for the lock, and gives it back soon after. */
  private static CompletableFuture<Optional<Grant>> ask(Scene scene, AcquireOptions options) {
    CompletableFuture<Optional<Grant>> asked = scene.one.client.lock("a").tryAcquireAsync(options);
    var unused =
        asked.thenAccept(
            granted ->
                granted.ifPresent(
                    grant -> scene.world.after(Duration.ofMillis(60), grant::release)));
    return asked;
  }
}
