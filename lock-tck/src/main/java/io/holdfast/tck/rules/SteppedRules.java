package io.holdfast.tck.rules;

import static io.holdfast.tck.rules.Bench.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.tck.store.StepControl;

/** What {@link DyingRules} and {@link InterleavingRules} share. */
interface SteppedRules extends SpiRules {

  /** More steps than any verb has; a verb that never ends would pass no test. */
  int STEPS_MAX = 30;

  /** A client whose verbs can be stopped, and the lock of this round. */
  record Scene(AtStep at, SpiClient stepped, LockName name) {}

  /** One round for each step, until the verb has fewer steps than that. */
  interface Round {
    /** Arms the scene with the step, plays it, and returns whether the step was reached. */
    boolean play(Scene scene, int step);
  }

  default void forEachStep(Round round) {
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
}
