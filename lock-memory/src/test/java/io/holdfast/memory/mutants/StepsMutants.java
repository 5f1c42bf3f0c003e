package io.holdfast.memory.mutants;

import io.holdfast.memory.MemoryRules;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.tck.mutants.Mutant;
import java.util.List;

/** Mistakes about deadlines and failures between the steps of a verb. */
final class StepsMutants {

  private StepsMutants() {}

  static List<Mutant> all() {
    return List.of(
        MemoryMutant.of(
            "deadline-heeded-by-the-first-step-only",
            "A verb of several steps returns or throws within its deadline",
            MemoryMutant.IN_STEPS.rules(
                new MemoryRules() {
                  @Override
                  protected boolean eachStepHeedsTheDeadline() {
                    return false;
                  }
                }),
            "DeadlineRules.aVerbGoesNoFurtherWhenItsDeadlineHasPassed"),
        MemoryMutant.of(
            "every-failure-says-that-nothing-was-done",
            "What fails after a step was done does not say that it did nothing",
            MemoryMutant.IN_STEPS.rules(
                new MemoryRules() {
                  @Override
                  protected RuntimeException failedHalfway(RuntimeException failure) {
                    return new BackendFailure(Effect.NONE, "Something went wrong.", null);
                  }
                }),
            "DeadlineRules.aVerbGoesNoFurtherWhenItsDeadlineHasPassed",
            "HalfwayRules.aJoinThatIsRefusedAStepDoesNotSayThatItDidNothing"));
  }
}
