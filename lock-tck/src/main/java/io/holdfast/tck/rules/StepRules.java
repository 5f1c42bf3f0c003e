package io.holdfast.tck.rules;

import static io.holdfast.tck.rules.Bench.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.RevokeWhen;
import io.holdfast.spi.Obstacle;
import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.spi.Standing;
import io.holdfast.tck.store.StepControl;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Where a verb is several atomic steps, the lock's record is the only point of order: whatever
 * happens between two steps, and even if there is no further step, nobody is forgotten and nobody
 * holds without knowing.
 */
public interface StepRules extends SpiRules {

  /** More steps than any verb has; a verb that never ends would pass no test. */
  int STEPS_MAX = 30;

  /** A client whose verbs can be stopped, and the lock of this round. */
  record Scene(AtStep at, SpiClient stepped, LockName name) {}

  /** One round for each step, until the verb has fewer steps than that. */
  interface Round {
    /** Arms the scene with the step, plays it, and returns whether the step was reached. */
    boolean play(Scene scene, int step);
  }

  private void forEachStep(Round round) {
    StepControl control = bench().control(StepControl.class);
    for (int step = 1; step <= STEPS_MAX; step++) {
      AtStep at = new AtStep();
      SpiClient stepped =
          SpiClient.open(bench().closedWithThis(control.connect(Bench.options(), at)), LONG);
      if (!round.play(new Scene(at, stepped, new LockName("step/" + step)), step)) {
        assertThat(step).as("steps of the verb").isGreaterThan(1);
        return;
      }
    }
    throw new AssertionError("A verb has more than " + STEPS_MAX + " steps.");
  }

  /** Does the call; the client dies before its so-manieth step, and its session is ended. */
  private static boolean dying(Scene scene, int step, Runnable call) {
    scene
        .at()
        .arm(
            step,
            () -> {
              throw new AtStep.ClientDied();
            });
    try {
      call.run();
    } catch (RuntimeException died) {
      assertThat(died).hasStackTraceContaining(AtStep.ClientDied.class.getName());
    }
    return scene.at().disarm();
  }

  /** Does the call, and something else before its so-manieth step, or after the last one. */
  private static boolean meanwhile(Scene scene, int step, Runnable call, Runnable meanwhile) {
    scene.at().arm(step, meanwhile);
    call.run();
    boolean reached = scene.at().disarm();
    if (!reached) {
      meanwhile.run();
    }
    return reached;
  }

  @Test
  default void aHolderMayDieWhileItReleases() {
    forEachStep(
        (scene, step) -> {
          Held held = scene.stepped().hold(scene.name());
          SpiClient first = bench().client();
          SpiClient second = bench().client();
          Request waits = first.queue(scene.name());
          Request behind = second.queue(scene.name());

          boolean reached = dying(scene, step, () -> scene.stepped().release(held));
          endSession(scene);

          Held next = overtakeUntilGranted(first, waits);
          assertThat(next.number()).isGreaterThan(held.number());
          first.release(next);
          second.release(second.holding(behind));
          assertThat(second.isFree(scene.name())).isTrue();
          return reached;
        });
  }

  @Test
  default void aReleaseThatBrokeOffIsRepeatedWithoutHarm() {
    forEachStep(
        (scene, step) -> {
          Held held = scene.stepped().hold(scene.name());
          SpiClient first = bench().client();
          SpiClient second = bench().client();
          Request waits = first.queue(scene.name());
          Request behind = second.queue(scene.name());

          boolean reached = dying(scene, step, () -> scene.stepped().release(held));
          scene.stepped().release(held);

          first.release(first.holding(waits));
          second.release(second.holding(behind));
          assertThat(second.isFree(scene.name())).isTrue();
          return reached;
        });
  }

  @Test
  default void aWaiterMayDieWhileItJoinsOrGivesUp() {
    forEachStep(
        (scene, step) -> {
          SpiClient holder = bench().client();
          Held held = holder.hold(scene.name());
          Request gone = scene.stepped().patient(scene.name());

          boolean joining = dying(scene, step, () -> scene.stepped().grab(gone));
          SpiClient behind = bench().client();
          Request waits = behind.queue(scene.name());
          boolean leaving = dying(scene, step, () -> scene.stepped().release(gone));
          endSession(scene);
          holder.release(held);

          behind.release(overtakeUntilGranted(behind, waits));
          assertThat(behind.isFree(scene.name())).isTrue();
          return joining || leaving;
        });
  }

  @Test
  default void whoOvertakesMayDieMeanwhile() {
    forEachStep(
        (scene, step) -> {
          SpiClient dead = bench().client();
          Held held = dead.hold(scene.name());
          dead.closeSession();
          Request overtakes = scene.stepped().request(scene.name());

          boolean reached =
              dying(scene, step, () -> scene.stepped().overtake(overtakes, held.observed()));
          endSession(scene);

          SpiClient next = bench().client();
          Request waits = next.patient(scene.name());
          next.grab(waits);
          next.release(overtakeUntilGranted(next, waits));
          assertThat(next.isFree(scene.name())).isTrue();
          return reached;
        });
  }

  /** The session first, then the record: so nobody is evicted who was not told. */
  @Test
  default void whoRevokesMayDieMeanwhile() {
    forEachStep(
        (scene, step) -> {
          SpiClient holder = bench().client();
          Held held = holder.hold(scene.name());

          boolean reached =
              dying(scene, step, () -> scene.stepped().revoke(held.observed(), RevokeWhen.NOW));

          boolean touched =
              holder.isFree(scene.name()) || holder.holder(scene.name()).revokedAt().isPresent();
          if (touched) {
            assertThat(holder.toldRevoked()).containsExactly(held.request().id());
          }
          scene.stepped().revoke(held.observed(), RevokeWhen.NOW);
          assertThat(holder.isFree(scene.name())).isTrue();
          assertThat(holder.toldRevoked()).containsExactly(held.request().id());
          return reached;
        });
  }

  @Test
  default void whoJoinsBetweenTwoStepsOfAReleaseIsNotForgotten() {
    forEachStep(
        (scene, step) -> {
          Held held = scene.stepped().hold(scene.name());
          SpiClient joiner = bench().client();
          Request joins = joiner.patient(scene.name());

          boolean reached =
              meanwhile(scene, step, () -> scene.stepped().release(held), () -> joiner.grab(joins));
          joiner.grab(joins);

          joiner.release(joiner.holding(joins));
          assertThat(joiner.isFree(scene.name())).isTrue();
          return reached;
        });
  }

  @Test
  default void whoReleasesBetweenTwoStepsOfAJoinForgetsNobody() {
    forEachStep(
        (scene, step) -> {
          SpiClient holder = bench().client();
          Held held = holder.hold(scene.name());
          Request joins = scene.stepped().patient(scene.name());

          boolean reached =
              meanwhile(scene, step, () -> scene.stepped().grab(joins), () -> holder.release(held));

          Held next = scene.stepped().holding(joins);
          assertThat(next.number()).isGreaterThan(held.number());
          assertThat(scene.stepped().release(next)).isEqualTo(Released.FREED);
          return reached;
        });
  }

  @Test
  default void whoGivesUpBetweenTwoStepsOfAReleaseDoesNotKeepTheLock() {
    forEachStep(
        (scene, step) -> {
          Held held = scene.stepped().hold(scene.name());
          SpiClient leaver = bench().client();
          Request leaves = leaver.queue(scene.name());

          boolean reached =
              meanwhile(
                  scene, step, () -> scene.stepped().release(held), () -> leaver.release(leaves));

          assertThat(leaver.standing(leaves)).isEqualTo(new Standing.Absent());
          assertThat(leaver.isFree(scene.name())).isTrue();
          return reached;
        });
  }

  @Test
  default void whoReleasesBetweenTwoStepsOfGivingUpLeavesTheLockWithNobody() {
    forEachStep(
        (scene, step) -> {
          SpiClient holder = bench().client();
          Held held = holder.hold(scene.name());
          Request leaves = scene.stepped().queue(scene.name());
          SpiClient behind = bench().client();
          Request waits = behind.queue(scene.name());

          boolean reached =
              meanwhile(
                  scene, step, () -> scene.stepped().release(leaves), () -> holder.release(held));

          assertThat(behind.standing(leaves)).isEqualTo(new Standing.Absent());
          behind.release(behind.holding(waits));
          assertThat(behind.isFree(scene.name())).isTrue();
          return reached;
        });
  }

  @Test
  default void whoJoinsBetweenTwoStepsOfAnOvertakeIsNotForgotten() {
    forEachStep(
        (scene, step) -> {
          SpiClient dead = bench().client();
          Held held = dead.hold(scene.name());
          dead.closeSession();
          Request overtakes = scene.stepped().request(scene.name());
          SpiClient joiner = bench().client();
          Request joins = joiner.patient(scene.name());

          boolean reached =
              meanwhile(
                  scene,
                  step,
                  () -> scene.stepped().overtake(overtakes, held.observed()),
                  () -> joiner.grab(joins));
          joiner.grab(joins);
          scene.stepped().release(overtakes);

          joiner.release(overtakeUntilGranted(joiner, joins));
          assertThat(joiner.isFree(scene.name())).isTrue();
          return reached;
        });
  }

  private void endSession(Scene scene) {
    scene.stepped().on(bench().connect()).closeSession();
  }

  private static Held overtakeUntilGranted(SpiClient client, Request waits) {
    for (int i = 0; i < 5; i++) {
      Optional<Obstacle> obstacle =
          client.standing(waits) instanceof Standing.Waiting waiting
              ? waiting.obstacles().stream().findFirst()
              : Optional.empty();
      if (obstacle.isPresent() && obstacle.get().isHead()) {
        client.overtake(waits, obstacle.get().head());
      } else if (obstacle.isPresent()) {
        client.backend().release(waits.name(), obstacle.get().request(), Bench.soon());
      }
    }
    return client.holding(waits);
  }
}
