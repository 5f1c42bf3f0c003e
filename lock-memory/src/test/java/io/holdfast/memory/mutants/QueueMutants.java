package io.holdfast.memory.mutants;

import io.holdfast.memory.MemoryRules;
import io.holdfast.tck.mutants.Mutant;
import java.util.List;

/** Mistakes in the order of a queue, and in handing a lock over in several steps. */
final class QueueMutants {

  private QueueMutants() {}

  static List<Mutant> all() {
    return List.of(
        MemoryMutant.of(
            "last-come-first-served",
            "Waiters are served in the order in which they joined",
            new MemoryRules() {
              @Override
              protected int placeOfNewcomer(int waiting) {
                return 0;
              }
            },
            "QueueRules.waitersAreServedInTheOrderInWhichTheyJoined",
            "StressRules.manyWhoWantOneLockAreServedInTheirOrder",
            "GrabRules.repeatingAGrabThatWasQueuedKeepsItsPlace"),
        MemoryMutant.of(
            "joiner-and-leaver-invisible",
            "† The record is the only point of order: a lost wake-up (known failures 6, 43 and 57)",
            MemoryMutant.IN_STEPS.rules(
                new MemoryRules() {
                  @Override
                  protected boolean isUnchanged(long versionRead, long versionNow) {
                    return true;
                  }
                }),
            "InterleavingRules.whoJoinsWhileTheHolderReleasesIsNotForgottenInAnyOrder"),
        MemoryMutant.of(
            "leaver-does-not-look-again",
            "† Who gives up looks whether it was handed the lock meanwhile (known failure 6)",
            MemoryMutant.IN_STEPS.rules(
                new MemoryRules() {
                  @Override
                  protected boolean leaverLooksAgain() {
                    return false;
                  }
                }),
            "InterleavingRules.whoGivesUpWhileTheHolderReleasesDoesNotKeepTheLockInAnyOrder"),
        MemoryMutant.of(
            "place-taken-away-before-the-record",
            "† The client may die between any two steps of a hand-over",
            MemoryMutant.IN_STEPS.rules(
                new MemoryRules() {
                  @Override
                  protected boolean recordBeforePlace() {
                    return false;
                  }
                }),
            "DyingRules.aHolderMayDieWhileItReleases",
            "DyingRules.aReleaseThatBrokeOffIsRepeatedWithoutHarm"),
        MemoryMutant.of(
            "last-step-speaks-for-the-verb",
            "A verb that was refused a step after another was done does not say that it did nothing",
            MemoryMutant.IN_STEPS.rules(
                new MemoryRules() {
                  @Override
                  protected RuntimeException failedHalfway(RuntimeException failure) {
                    return failure;
                  }
                }),
            "HalfwayRules.aJoinThatIsRefusedAStepDoesNotSayThatItDidNothing"));
  }
}
