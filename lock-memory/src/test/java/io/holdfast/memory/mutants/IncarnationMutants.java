package io.holdfast.memory.mutants;

import io.holdfast.memory.MemoryRules;
import io.holdfast.tck.mutants.Mutant;
import java.time.Duration;
import java.util.List;

/** Mistakes about what a store may have lost. */
final class IncarnationMutants {

  private IncarnationMutants() {}

  static List<Mutant> all() {
    return List.of(
        MemoryMutant.of(
            "answered-before-it-is-durable",
            "† A renewal counts when the store's quorum has it (known failures 12 and 52)",
            new MemoryRules() {
              @Override
              protected boolean answersWhenDurable() {
                return false;
              }
            },
            "QuorumRules.aRenewalIsNotAnsweredBeforeTheQuorumHasIt",
            "QuorumRules.anOpeningIsNotAnsweredBeforeTheQuorumHasIt",
            "QuorumRules.aLookDoesNotTellWhatCanBeUndone"),
        MemoryMutant.of(
            "no-restart-guard",
            "† After a loss nobody is granted anything while earlier leases run (known failure 12)",
            new MemoryRules() {
              @Override
              protected Duration restartGuard(Duration lease) {
                return Duration.ofNanos(-1);
              }
            },
            "FailOverRules.nobodyIsGrantedAnythingUntilEarlierLeasesHaveRunOut",
            "FailOverRules.duringTheGuardNobodyIsOvertakenInto",
            "FailOverRules.duringTheGuardAClientIsNotGrantedAgainWhatItGaveBack",
            "FailOverBeliefRules.aNewcomerAfterAFailOverIsNotLetInBesideAHolderThatBelieves"),
        MemoryMutant.of(
            "the-ended-hold-on",
            "† A request of a session that is over holds nothing, also where it became the head since",
            new MemoryRules() {
              @Override
              protected boolean requestsOfTheDeadAreAbsent() {
                return false;
              }
            },
            "LookRules.aRequestOfASessionThatIsOverHoldsNothing"),
        MemoryMutant.of(
            "revocation-heedless-of-the-guard",
            "† During the restart guard a holder believes although its session is over",
            new MemoryRules() {
              @Override
              protected boolean revocationHeedsTheGuard() {
                return false;
              }
            },
            "FailOverRules.duringTheGuardARevocationThatIsSafeFreesNothing"),
        MemoryMutant.of(
            "a-fail-over-lets-the-next-in",
            "† After a fail-over nobody is let in beside a holder that believes",
            new MemoryRules() {
              @Override
              protected boolean requestsOfTheDeadAreAbsent() {
                return false;
              }

              @Override
              protected boolean revocationHeedsTheGuard() {
                return false;
              }
            },
            "FailOverBeliefRules.anEarlierLifesReleaseAfterAFailOverLetsNobodyInBesideAHolderThatBelieves",
            "FailOverBeliefRules.revokingSafelyAfterAFailOverLetsNobodyInBesideAHolderThatBelieves"),
        MemoryMutant.of(
            "sessions-outlive-the-loss-of-grants",
            "† A session belongs to the incarnation it was opened in, where grants may be lost",
            new MemoryRules() {
              @Override
              protected boolean failOverEndsSessions() {
                return false;
              }
            },
            "FailOverRules.aSessionOfBeforeAFailOverIsOver",
            "FailOverRules.aSessionWhoseEndWasLostIsNotBack"));
  }
}
