package io.holdfast.memory.mutants;

import io.holdfast.memory.MemoryRules;
import io.holdfast.tck.mutants.Mutant;
import java.util.List;

/** Mistakes about who holds a lock together. */
final class SharedMutants {

  private SharedMutants() {}

  static List<Mutant> all() {
    return List.of(
        MemoryMutant.of(
            "joins-past-writer",
            "A shared request that finds an exclusive one waiting waits behind it",
            new MemoryRules() {
              @Override
              protected boolean mayPass(int waiting) {
                return true;
              }
            },
            "SharedRules.aSharedRequestPassesNoExclusiveOneThatWaits",
            "StressRules.onlyThoseWhoShareHoldTogether"),
        MemoryMutant.of(
            "withdrawal-leaves-readers",
            "A writer that gives up lets the readers behind it in",
            new MemoryRules() {
              @Override
              protected boolean withdrawalLetsSharedIn() {
                return false;
              }
            },
            "SharedRules.aWithdrawnExclusiveRequestLetsTheSharedOnesBehindItIn",
            "SharedRules.aDeadExclusiveRequestThatWaitsKeepsNoSharedOneOut"),
        MemoryMutant.of(
            "run-ends-with-its-first",
            "† Whether a run ends with a leaving entry is decided in the step that removes it",
            new MemoryRules() {
              @Override
              protected boolean endsTheRun(int othersThatHold) {
                return true;
              }
            },
            "SharedRules.anExclusiveRequestWaitsForAllThatShare",
            "SharedRules.deadHoldersAreRemovedOneByOneAndTheLivingStay"),
        MemoryMutant.of(
            "only-head-named",
            "† The first waiter is told of every holder that can be removed",
            new MemoryRules() {
              @Override
              protected int holdersNamed(int holders) {
                return 1;
              }
            },
            "SharedRules.deadHoldersAreRemovedOneByOneAndTheLivingStay"),
        MemoryMutant.of(
            "downgrade-keeps-number",
            "† Whoever joins a downgraded lock has a greater token than the writer had",
            new MemoryRules() {
              @Override
              protected long downgraded(long last, long next) {
                return last;
              }
            },
            "SharedRules.aDowngradeLetsSharedRequestsInAndNoExclusiveOne"),
        MemoryMutant.of(
            "joins-old-run",
            "† A run whose number was given before grants may have been lost is not joined",
            new MemoryRules() {
              @Override
              protected boolean runIsPresent(int givenIn, int mayHaveLostGrants) {
                return true;
              }
            },
            "SharedFailOverRules.aRunFromBeforeALossIsNotJoined"),
        MemoryMutant.of(
            "extends-old-run",
            "† A withdrawal lets nobody into a run from before grants may have been lost",
            new MemoryRules() {
              @Override
              protected boolean runMayBeExtended(int givenIn, int mayHaveLostGrants) {
                return true;
              }
            },
            "SharedFailOverRules.aRunFromBeforeALossIsNotExtendedByAWithdrawal"),
        MemoryMutant.of(
            "joiner-gets-own-number",
            "† Whoever joins a run has the number of the run",
            new MemoryRules() {
              @Override
              protected long joined(long number, long next) {
                return next;
              }
            },
            "SharedRules.sharedRequestsHoldTogether"));
  }
}
