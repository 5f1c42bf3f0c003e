package io.holdfast.tck.mutants;

import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Request;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.memory.MemoryOptions;
import io.holdfast.tck.memory.MemoryRules;
import java.time.Duration;
import java.util.List;

/** Mistakes about what a store may have lost. */
final class LossMutants {

  private LossMutants() {}

  static List<Mutant> all() {
    return List.of(
        mutant(
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
        mutant(
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
            "FailOverBeliefRules.aNewcomerAfterAFailOverIsNotLetInBesideAHolderThatBelieves"),
        Mutant.ofStore(
            "restart-guard-for-grabs-only",
            "† Nobody is granted anything, by overtaking neither",
            () ->
                (options, store) ->
                    new OvertakingDuringTheGuard(
                        store.apply(options),
                        store.apply(new BackendOptions(options.namespace(), RestartGuard.OFF))),
            "FailOverRules.duringTheGuardNobodyIsOvertakenInto"),
        Mutant.ofStore(
            "restart-guard-cannot-be-switched-off",
            "Whoever switches the guard off does not wait",
            () ->
                (options, store) ->
                    store.apply(new BackendOptions(options.namespace(), RestartGuard.ON)),
            "FailOverRules.withTheGuardOffNobodyWaits"),
        mutant(
            "the-ended-hold-on",
            "† A request of a session that is over holds nothing, also where it became the head since",
            new MemoryRules() {
              @Override
              protected boolean requestsOfTheDeadAreAbsent() {
                return false;
              }
            },
            "LookRules.aRequestOfASessionThatIsOverHoldsNothing"),
        mutant(
            "revocation-heedless-of-the-guard",
            "† During the restart guard a holder believes although its session is over",
            new MemoryRules() {
              @Override
              protected boolean revocationHeedsTheGuard() {
                return false;
              }
            },
            "FailOverRules.duringTheGuardARevocationThatIsSafeFreesNothing"),
        mutant(
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
        mutant(
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

  private static Mutant mutant(
      String name, String breaks, MemoryRules rules, String... rejectedBy) {
    return Mutant.ofMemory(name, breaks, MemoryOptions.DEFAULTS.rules(rules), rejectedBy);
  }

  private static final class OvertakingDuringTheGuard extends InterceptedBackend {
    private final LockBackend unguarded;

    OvertakingDuringTheGuard(LockBackend target, LockBackend unguarded) {
      super(target);
      this.unguarded = unguarded;
    }

    @Override
    public Attempt overtake(Request request, Observed head, Deadline deadline) {
      return unguarded.overtake(request, head, deadline);
    }

    @Override
    public void close() {
      super.close();
      unguarded.close();
    }
  }
}
