package io.holdfast.tck.rules;

import static io.holdfast.tck.rules.Bench.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.tck.store.StepControl;

/** One round for each atomic step of a verb, until the verb has fewer steps than that. */
final class EachStep {

  /** More steps than any verb has; a verb that never ends would pass no test. */
  private static final int STEPS_MAX = 30;

  private EachStep() {}

  /** A client whose verbs can be stopped, and the lock of this round. */
  record Scene(AtStep at, SpiClient stepped, LockName name) {}

  /** What is done for a step. */
  @FunctionalInterface
  interface Round {
    /** Arms the scene with the step, plays it, and returns whether the step was reached. */
    boolean play(Scene scene, int step);
  }

  static void of(Bench bench, Round round) {
    StepControl control = bench.control(StepControl.class);
    for (int step = 1; step <= STEPS_MAX; step++) {
      AtStep at = new AtStep();
      SpiClient stepped =
          SpiClient.open(bench.closedWithThis(control.connect(Bench.options(), at)), LONG);
      if (!round.play(new Scene(at, stepped, new LockName("step/" + step)), step)) {
        assertThat(step).as("steps of the verb").isGreaterThan(1);
        return;
      }
    }
    throw new AssertionError("A verb has more than " + STEPS_MAX + " steps.");
  }
}
