package io.holdfast.tck.mutants;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Attempt.Refused;
import io.holdfast.spi.answer.Attempt.SessionOver;
import io.holdfast.spi.answer.Observed;
import io.holdfast.tck.faults.InterceptedBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Mistakes in removing a holder that does not count any more. */
final class OvertakeMutants {

  private OvertakeMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofBackend(
            "overtake-without-compare-and-set",
            "An overtake is bound to the grant that was observed (known failure 33)",
            OvertakeMutants::blind,
            "OvertakeRules.anOvertakeOfAGrantThatIsNotInForceAnyMoreChangesNothing",
            "OvertakeRules.anOvertakeIsBoundToTheNumberObserved"),
        Mutant.ofBackend(
            "overtake-of-a-living-holder",
            "Only what is over, or was revoked a whole TTL ago, is overtaken",
            target -> hasty(target, Liveness.LIVE),
            "OvertakeRules.aHolderWhoseSessionLivesIsNotOvertaken",
            "RevokeRules.aRevokedLockStaysWithItsHolderForAWholeTtl"),
        Mutant.ofBackend(
            "overtake-of-a-lapsed-holder",
            "† Only after a session was ended may its requests be touched",
            target -> hasty(target, Liveness.LAPSED),
            "OvertakeRules.aHolderThatOnlyLapsedIsNotOvertaken"),
        Mutant.ofBackend(
            "overtaker-passes-those-who-wait",
            "A newcomer gets the lock only if nobody waits",
            OvertakeMutants::passingWaiters,
            "OvertakeRules.theNextWaiterHasTheLockWhoeverOvertakes",
            "OvertakeRules.aWaiterThatOvertakesIsToldHowItStands"),
        Mutant.ofBackend(
            "overtaker-joins-the-queue",
            "An overtake gives the lock or nothing (known failure 6)",
            OvertakeMutants::joining,
            "OvertakeRules.theNextWaiterHasTheLockWhoeverOvertakes"),
        Mutant.ofBackend(
            "overtake-takes-a-free-lock",
            "An overtake whose head is gone changes nothing (known failure 50)",
            OvertakeMutants::takingWhatIsFree,
            "OvertakeRules.anOvertakeOfALockThatBecameFreeTakesNothing",
            "UnsettledRules.aLateCopyOfAnOvertakeTakesNothingAgain"),
        Mutant.ofBackend(
            "overtake-by-the-dead",
            "A session that is over is granted nothing (known failure 26)",
            OvertakeMutants::byTheDead,
            "OvertakeRules.aSessionThatIsOverOvertakesNobody"),
        Mutant.ofBackend(
            "repeated-overtake-is-refused",
            "Repeating an overtake whose answer was lost is the same grant (known failure 5)",
            OvertakeMutants::once,
            "OvertakeRules.repeatingAnOvertakeIsTheSameGrant"));
  }

  private static LockBackend blind(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt overtake(Request request, Observed head, Deadline deadline) {
        return super.overtake(request, present(head.name(), deadline).orElse(head), deadline);
      }

      private Optional<Observed> present(LockName name, Deadline deadline) {
        return target()
            .inspect(name, deadline)
            .filter(record -> record.holder().isPresent())
            .map(
                record ->
                    new Observed(name, record.number(), record.holder().orElseThrow().request()));
      }
    };
  }

  private static LockBackend hasty(LockBackend target, Liveness enough) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt overtake(Request request, Observed head, Deadline deadline) {
        super.inspect(head.name(), deadline)
            .flatMap(LockRecord::holder)
            .filter(holder -> holder.liveness() == enough)
            .map(Holder::request)
            .filter(head.request()::equals)
            .ifPresent(holder -> super.end(holder.session(), EndIf.CLOSED, deadline));
        return super.overtake(request, head, deadline);
      }
    };
  }

  private static LockBackend passingWaiters(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt overtake(Request request, Observed head, Deadline deadline) {
        super.inspect(head.name(), deadline).stream()
            .flatMap(record -> record.waiters().stream())
            .map(Waiter::request)
            .filter(waiter -> !waiter.equals(request.id()))
            .forEach(waiter -> super.release(head.name(), waiter, deadline));
        return super.overtake(request, head, deadline);
      }
    };
  }

  private static LockBackend joining(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt overtake(Request request, Observed head, Deadline deadline) {
        Attempt attempt = super.overtake(request, head, deadline);
        if (attempt instanceof Refused) {
          super.grab(request, deadline);
        }
        return attempt;
      }
    };
  }

  private static LockBackend takingWhatIsFree(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt overtake(Request request, Observed head, Deadline deadline) {
        Attempt attempt = super.overtake(request, head, deadline);
        return attempt instanceof Refused refused && refused.record().holder().isEmpty()
            ? super.grab(request, deadline)
            : attempt;
      }
    };
  }

  private static LockBackend byTheDead(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt overtake(Request request, Observed head, Deadline deadline) {
        Attempt attempt = super.overtake(request, head, deadline);
        if (!(attempt instanceof SessionOver)) {
          return attempt;
        }
        SessionId session = request.id().session();
        Duration ttl = Duration.ofSeconds(1);
        super.open(new SessionSpec(session, ttl, 0, request.process()), deadline);
        Attempt granted = super.overtake(request, head, deadline);
        super.end(session, EndIf.CLOSED, deadline);
        return granted;
      }
    };
  }

  private static LockBackend once(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt overtake(Request request, Observed head, Deadline deadline) {
        return super.inspect(head.name(), deadline)
            .filter(record -> record.number() != head.number())
            .<Attempt>map(record -> new Refused(record, Optional.empty()))
            .orElseGet(() -> super.overtake(request, head, deadline));
      }
    };
  }
}
