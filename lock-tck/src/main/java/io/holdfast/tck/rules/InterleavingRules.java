package io.holdfast.tck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.spi.Standing;
import org.junit.jupiter.api.Test;

/**
 * Whatever others do between two atomic steps of a verb, the lock's record is the only point of
 * order: who joins is seen or finds the lock free, who leaves passes on what it was handed
 * meanwhile.
 */
public interface InterleavingRules extends SteppedRules {

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
  default void whoJoinsBetweenTwoStepsOfAReleaseIsNotForgotten() {
    forEachStep(
        (scene, step) -> {
          Held held = scene.stepped().hold(scene.name());
          SpiClient joiner = bench().client();
          Request joins = joiner.patient(scene.name());

          boolean reached =
              meanwhile(scene, step, () -> scene.stepped().release(held), () -> joiner.grab(joins));

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
          scene.stepped().release(overtakes);

          joiner.release(Patience.overtakeUntilGranted(joiner, joins));
          assertThat(joiner.isFree(scene.name())).isTrue();
          return reached;
        });
  }
}
