package io.holdfast.tck.mutants;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Attempt.Refused;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.faults.InterceptedBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Mistakes in taking a lock away. */
final class RevokeMutants {

  private RevokeMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofBackend(
            "revocation-frees-at-once",
            "† A lock is never freed under a holder who still believes (known failure 58)",
            RevokeMutants::atOnce,
            "RevokeRules.aRevokedLockStaysWithItsHolderForAWholeTtl",
            "RevokeRules.aRevokedLockPassesOnWhenItsHolderReleasesIt"),
        Mutant.ofBackend(
            "holder-is-not-told",
            "† The holder's session is marked, so that it is told (known failure 58)",
            RevokeMutants::untold,
            "RevokeRules.aRevokedHolderIsToldAtEveryRenewalUntilItAcknowledges",
            "RevokeRules.revokingNowFreesTheLockAtOnceAndStillTellsItsHolder",
            "RevokeRules.aHolderWhoseGrantWasNotAnsweredIsToldToo"),
        Mutant.ofBackend(
            "notice-is-told-once",
            "† A notice is told until it is acknowledged: an answer may be lost",
            RevokeMutants::toldOnce,
            "RevokeRules.aRevokedHolderIsToldAtEveryRenewalUntilItAcknowledges"),
        Mutant.ofBackend(
            "notice-cannot-be-acknowledged",
            "A notice stops when it was acknowledged (known failure 19)",
            RevokeMutants::toldForEver,
            "RevokeRules.aRevokedHolderIsToldAtEveryRenewalUntilItAcknowledges",
            "RevokeRules.eachNoticeIsAcknowledgedByItself",
            "RevokeRules.revokingTwiceIsRevokingOnce"),
        Mutant.ofBackend(
            "notice-ends-with-the-grant",
            "† The notice is told also when the lock has passed on",
            RevokeMutants::forgottenWithTheGrant,
            "RevokeRules.theNoticeOutlivesTheGrant"),
        Mutant.ofBackend(
            "revocation-is-never-due",
            "A holder that hangs but renews does not keep a revoked lock (known failure 20)",
            RevokeMutants::neverDue,
            "RevokeRules.aLockRevokedAWholeTtlAgoIsOvertakenAlthoughItsHolderRenews",
            "ClockRules.aStepForwardWithinTheBoundDoesNotMakeARevocationDue"),
        Mutant.ofBackend(
            "revocation-without-compare-and-set",
            "A revocation is about the grant that was seen",
            RevokeMutants::blind,
            "RevokeRules.aRevocationOfAGrantThatIsNotInForceAnyMoreChangesNothing",
            "UnsettledRules.aLateCopyOfARevocationIsAboutTheGrantItSaw"),
        Mutant.ofBackend(
            "the-dead-are-not-revoked",
            "A revocation uses up the lock-delay of its holder, whether or not that one is alive",
            RevokeMutants::ofTheLiving,
            "DyingRules.aHolderMayDieWhileItIsRevoked"),
        Mutant.ofBackend(
            "revocation-judged-by-the-number-after-it",
            "A holder that was told is revoked, also if it has downgraded since",
            RevokeMutants::judgedAfterwards,
            "DyingRules.aHolderMayDowngradeWhileItIsRevoked"));
  }

  private static LockBackend atOnce(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
        return super.revoke(head, RevokeWhen.NOW, deadline);
      }
    };
  }

  private static LockBackend untold(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
        Revocation revocation = super.revoke(head, when, deadline);
        super.acknowledge(head.request(), deadline);
        return revocation;
      }
    };
  }

  private static LockBackend toldOnce(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Renewed renew(SessionId session, Deadline deadline) {
        Renewed renewed = super.renew(session, deadline);
        if (renewed instanceof Renewed.Alive alive) {
          for (Notice notice : alive.notices()) {
            if (notice instanceof Notice.Revoked revoked) {
              super.acknowledge(revoked.request(), deadline);
            }
          }
        }
        return renewed;
      }
    };
  }

  private static LockBackend toldForEver(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public void acknowledge(RequestId request, Deadline deadline) {}
    };
  }

  private static LockBackend forgottenWithTheGrant(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Released release(LockName name, RequestId request, Deadline deadline) {
        super.acknowledge(request, deadline);
        return super.release(name, request, deadline);
      }
    };
  }

  private static LockBackend neverDue(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt overtake(Request request, Observed head, Deadline deadline) {
        return super.inspect(head.name(), deadline)
            .filter(RevokeMutants::isDue)
            .<Attempt>map(record -> new Refused(record, Optional.empty()))
            .orElseGet(() -> super.overtake(request, head, deadline));
      }
    };
  }

  private static boolean isDue(LockRecord record) {
    return record
        .holder()
        .filter(holder -> holder.liveness() == Liveness.REVOCATION_DUE)
        .isPresent();
  }

  private static LockBackend blind(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
        Observed present =
            super.inspect(head.name(), deadline)
                .filter(record -> record.holder().isPresent())
                .map(
                    record ->
                        new Observed(
                            head.name(), record.number(), record.holder().orElseThrow().request()))
                .orElse(head);
        return super.revoke(present, when, deadline);
      }
    };
  }

  /** A dead holder is overtaken anyhow, it thinks, and forgets what that one leaves. */
  private static LockBackend ofTheLiving(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
        return super.inspect(head.name(), deadline)
            .flatMap(lock -> observed(lock, head))
            .filter(holder -> holder.liveness() == Liveness.ENDED)
            .<Revocation>map(dead -> new Revocation.Marked(Duration.ZERO))
            .orElseGet(() -> super.revoke(head, when, deadline));
      }
    };
  }

  /** A holder that has another number now was not revoked, it thinks. */
  private static LockBackend judgedAfterwards(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
        Revocation revocation = super.revoke(head, when, deadline);
        boolean isChanged =
            super.inspect(head.name(), deadline)
                .filter(lock -> observed(lock, head).isPresent())
                .isEmpty();
        return revocation instanceof Revocation.Marked && isChanged
            ? new Revocation.Changed()
            : revocation;
      }
    };
  }

  /** Finds the holder that was observed, by its request and its number. */
  private static Optional<Holder> observed(LockRecord lock, Observed head) {
    return lock.holders().stream()
        .filter(holder -> holder.request().equals(head.request()))
        .filter(holder -> lock.numberOf(holder) == head.number())
        .findFirst();
  }
}
