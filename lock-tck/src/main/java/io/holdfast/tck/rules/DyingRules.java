package io.holdfast.tck.rules;

import static io.holdfast.tck.rules.Bench.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.RevokeWhen;
import io.holdfast.spi.Request;
import io.holdfast.tck.store.StepControl;
import org.junit.jupiter.api.Test;

/**
 * A client may die between any two atomic steps of a verb: nobody is forgotten, and nobody holds
 * without knowing.
 */
public interface DyingRules extends SpiRules {

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

          Held next = Patience.overtakeUntilGranted(first, waits);
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

          behind.release(Patience.overtakeUntilGranted(behind, waits));
          assertThat(behind.isFree(scene.name())).isTrue();
          return joining || leaving;
        });
  }

  @Test
  default void whoOvertakesMayDieMeanwhile() {
    forEachStep(
        (scene, step) -> {
          Held held = bench().deadHolder(scene.name());
          Request overtakes = scene.stepped().request(scene.name());

          boolean reached =
              dying(scene, step, () -> scene.stepped().overtake(overtakes, held.observed()));
          endSession(scene);

          SpiClient next = bench().client();
          Request waits = next.patient(scene.name());
          next.grab(waits);
          next.release(Patience.overtakeUntilGranted(next, waits));
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

  private void endSession(Scene scene) {
    scene.stepped().on(bench().connect()).closeSession();
  }
}
