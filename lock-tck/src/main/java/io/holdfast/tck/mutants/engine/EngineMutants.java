package io.holdfast.tck.mutants.engine;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import io.holdfast.spi.answer.Standing.Waiting;
import io.holdfast.tck.client.fault.EarlierLifeRules;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.faults.Invocation;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.mutants.Mutant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Mistakes of an engine, made between it and everything that it does: what reaches the store, or
 * comes back, is what it would be if the engine had forgotten a rule.
 */
public final class EngineMutants {

  private EngineMutants() {}

  public static List<Mutant> all() {
    return List.of(
        Mutant.ofEngine(
            "opening-repeated",
            "† An opening that was not answered is never repeated",
            RepeatedOpening::new,
            "AmbiguityRules.anOpeningThatWasNotAnsweredIsNeverRepeated"),
        Mutant.ofEngine(
            "unsettled-never-looked-at",
            "† A late copy is found by the heartbeat's look (known failures 5, 29 and 50)",
            BlindForTheUnsettled::new,
            "AmbiguityRules.aGrabThatArrivesAfterItsReleaseIsTakenBack",
            "AmbiguityRules.aGrabThatArrivesAfterItsRefusalIsTakenBack"),
        Mutant.ofEngine(
            "failed-for-good-is-without-effect",
            "What failed for good halfway is taken back like what was not answered",
            FailedForGood::new,
            "AmbiguityRules.aGrabThatFailedForGoodHalfwayIsTakenBack"),
        Mutant.ofEngine(
            "release-forgotten",
            "A release that failed is repeated (known failures 3 and 17)",
            ForgottenRelease::new,
            "AmbiguityRules.aReleaseThatWasNotAnsweredIsRepeatedUntilItSucceeds"),
        Mutant.ofEngine(
            "waiters-not-withdrawn",
            "A waiter that gave up is gone at once (known failures 6 and 37)",
            NeverWithdrawn::new,
            "AcquireRules.aWaitEndsWhenItsTimeIsUpAndLeavesNothingInTheQueue",
            "AcquireRules.anInterruptedWaitThrowsAtOnceAndHoldsNothing"),
        Mutant.ofEngine(
            "first-failed-renewal-is-the-last",
            "A renewal that failed is sent anew (known failures 7, 8 and 32)",
            GivesUpRenewing::new,
            "LossRules.heartbeatsThatFailNowAndThenLoseNothing"),
        Mutant.ofEngine(
            "renewal-believed-without-asking",
            "† A renewal counts when the store has it (known failures 1, 9 and 49)",
            BelievesItRenewed::new,
            "LossRules.aHolderThatIsCutOffStopsBelievingBeforeAnybodyElseIsGranted"),
        Mutant.ofEngine(
            "notices-not-read",
            "† A revoked holder stops before the lock passes on (known failure 58)",
            IgnoresNotices::new,
            "LossRules.aRevokedHolderThatChecksStopsAndTheLockPassesOnWhenItGivesBack"),
        Mutant.ofEngine(
            "earlier-life-evicted-at-once",
            "† An earlier life may hang and still believe: it is told first",
            EvictsAtOnce::new,
            "EarlierLifeRules.nothingIsTakenFromUnderAnEarlierLifeThatStillBelieves"),
        Mutant.ofEngine(
            "everybody-is-an-earlier-life",
            "Only what its own process held is released (known failure 41)",
            TakesOthersForItself::new,
            "EarlierLifeRules.whatOthersHoldIsLeftAlone"),
        Mutant.ofEngine(
            "earlier-life-forgotten",
            "What an earlier life held is released when its process starts again",
            NeverRevokes::new,
            "EarlierLifeRules.anEarlierLifeThatHangsIsToldAndItsLockPassesOnAllTheSame"),
        Mutant.ofEngine(
            "notices-never-acknowledged",
            "A notice stops when its holder has given up",
            NeverAcknowledges::new,
            "LossRules.aRevokedHolderThatChecksStopsAndTheLockPassesOnWhenItGivesBack"),
        Mutant.ofEngine(
            "over-as-soon-as-late",
            "† A session is over when it has been ended, not when its time has passed",
            ImpatientAboutSessions::new,
            "LossRules.jeopardyEndsWithTheSameTokenIfNobodyHasTakenTheLock"),
        Mutant.ofEngine(
            "obstacles-not-removed",
            "† A holder that dies with the next in line strands nobody (known failure 13)",
            BlindForObstacles::new,
            "LossRules.aHolderAndTheNextInLineThatDieTogetherStrandNobody"),
        Mutant.ofEngine(
            "overtakes-without-ending",
            "A lapsed session is ended before it is overtaken",
            NeverEnds::new,
            "LossRules.aHolderAndTheNextInLineThatDieTogetherStrandNobody"),
        Mutant.ofEngine(
            "waits-for-hints-alone",
            "Hints are never the truth (known failure 43)",
            TrustsHints::new,
            "HangRules.lostHintsCostAHeartbeatAtMost"),
        Mutant.ofEngine(
            "one-call-at-a-time",
            "A call that hangs on one lock delays no other",
            OneAtATime::new,
            "HangRules.aCallThatHangsOnOneLockDelaysNoOther"),
        Mutant.ofEngine(
            "close-ends-nothing",
            "Closing gives everything back at once",
            ClosesSilently::new,
            "CloseRules.closingFreesEverythingAtOnce",
            "CloseRules.closingEndsWaitsAndTakesThemOutOfTheQueue"));
  }

  private static final class RepeatedOpening extends InterceptedBackend {
    RepeatedOpening(LockBackend target) {
      super(target);
    }

    @Override
    public Opened open(SessionSpec spec, Deadline deadline) {
      try {
        return super.open(spec, deadline);
      } catch (BackendFailure e) {
        return super.open(spec, deadline);
      }
    }
  }

  private static final class BlindForTheUnsettled extends InterceptedBackend {
    private final Set<RequestId> queued = ConcurrentHashMap.newKeySet();

    BlindForTheUnsettled(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      Attempt attempt = super.grab(request, deadline);
      if (attempt instanceof Attempt.Queued) {
        queued.add(request.id());
      }
      return attempt;
    }

    @Override
    public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
      List<Standing> seen = super.look(session, requests, deadline);
      return requests.stream()
          .<Standing>map(
              key ->
                  queued.contains(key.request())
                      ? seen.get(requests.indexOf(key))
                      : new Standing.Absent())
          .toList();
    }
  }

  private static final class FailedForGood extends InterceptedBackend {
    FailedForGood(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      try {
        return super.grab(request, deadline);
      } catch (BackendFailure e) {
        throw e.getCause() instanceof BackendUnusableException unusable ? unusable : e;
      }
    }
  }

  private static final class ForgottenRelease extends InterceptedBackend {
    ForgottenRelease(LockBackend target) {
      super(target);
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      try {
        return super.release(name, request, deadline);
      } catch (BackendFailure e) {
        // The caller is told that it failed, and the client never thinks of it again.
        forgotten.add(request);
        throw e;
      }
    }

    private final Set<RequestId> forgotten = ConcurrentHashMap.newKeySet();

    @Override
    protected Object intercept(Verb verb, Invocation call) {
      boolean again =
          verb == Verb.RELEASE
              && call.arguments().stream()
                  .anyMatch(given -> given instanceof RequestId id && forgotten.contains(id));
      return again ? Released.NOTHING : call.proceed();
    }
  }

  private static final class NeverWithdrawn extends InterceptedBackend {
    private final Set<RequestId> granted = ConcurrentHashMap.newKeySet();

    NeverWithdrawn(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      Attempt attempt = super.grab(request, deadline);
      if (attempt instanceof Attempt.Granted) {
        granted.add(request.id());
      }
      return attempt;
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      return granted.contains(request)
          ? super.release(name, request, deadline)
          : Released.WAS_WAITING;
    }
  }

  private static final class GivesUpRenewing extends InterceptedBackend {
    private final AtomicBoolean failed = new AtomicBoolean();

    GivesUpRenewing(LockBackend target) {
      super(target);
    }

    @Override
    public Renewed renew(SessionId session, Deadline deadline) {
      if (failed.get()) {
        throw new BackendFailure(Effect.NONE, "The timer was cancelled.", null);
      }
      try {
        return super.renew(session, deadline);
      } catch (BackendFailure e) {
        failed.set(true);
        throw e;
      }
    }
  }

  private static final class BelievesItRenewed extends InterceptedBackend {
    private volatile Renewed last = new Renewed.Over();
    private final AtomicBoolean known = new AtomicBoolean();

    BelievesItRenewed(LockBackend target) {
      super(target);
    }

    @Override
    public Opened open(SessionSpec spec, Deadline deadline) {
      Opened opened = super.open(spec, deadline);
      last = new Renewed.Alive(opened.ttl(), List.of(), opened.storeTime());
      known.set(true);
      return opened;
    }

    @Override
    public Renewed renew(SessionId session, Deadline deadline) {
      try {
        return super.renew(session, deadline);
      } catch (BackendFailure e) {
        if (known.get()) {
          return last;
        }
        throw e;
      }
    }
  }

  private static final class IgnoresNotices extends InterceptedBackend {
    IgnoresNotices(LockBackend target) {
      super(target);
    }

    @Override
    public Renewed renew(SessionId session, Deadline deadline) {
      Renewed renewed = super.renew(session, deadline);
      return renewed instanceof Renewed.Alive alive
          ? new Renewed.Alive(alive.ttl(), List.of(), alive.storeTime())
          : renewed;
    }
  }

  private static final class NeverAcknowledges extends InterceptedBackend {
    NeverAcknowledges(LockBackend target) {
      super(target);
    }

    @Override
    public void acknowledge(RequestId request, Deadline deadline) {
      // Forgotten.
    }
  }

  private static final class EvictsAtOnce extends InterceptedBackend {
    EvictsAtOnce(LockBackend target) {
      super(target);
    }

    @Override
    public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
      return super.revoke(head, RevokeWhen.NOW, deadline);
    }
  }

  private static final class TakesOthersForItself extends InterceptedBackend {
    TakesOthersForItself(LockBackend target) {
      super(target);
    }

    @Override
    public List<LockRecord> list(
        String prefix, Optional<LockName> after, int limit, Deadline deadline) {
      return super.list(prefix, after, limit, deadline).stream()
          .map(
              lock ->
                  new LockRecord(
                      lock.name(),
                      lock.number(),
                      lock.holder().map(TakesOthersForItself::asItself),
                      lock.waiters()))
          .toList();
    }

    private static Holder asItself(Holder holder) {
      return new Holder(
          holder.request(),
          holder.mode(),
          EarlierLifeRules.PROCESS,
          holder.why(),
          holder.payload(),
          holder.since(),
          holder.liveness(),
          holder.revokedAt());
    }
  }

  private static final class NeverRevokes extends InterceptedBackend {
    NeverRevokes(LockBackend target) {
      super(target);
    }

    @Override
    public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
      return new Revocation.Marked(Duration.ZERO);
    }
  }

  private static final class ImpatientAboutSessions extends InterceptedBackend {
    private final AtomicBoolean failed = new AtomicBoolean();

    ImpatientAboutSessions(LockBackend target) {
      super(target);
    }

    @Override
    public Renewed renew(SessionId session, Deadline deadline) {
      try {
        return failed.get() ? new Renewed.Over() : super.renew(session, deadline);
      } catch (BackendFailure e) {
        failed.set(true);
        throw e;
      }
    }
  }

  private static final class BlindForObstacles extends InterceptedBackend {
    BlindForObstacles(LockBackend target) {
      super(target);
    }

    @Override
    public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
      return super.look(session, requests, deadline).stream()
          .map(
              standing ->
                  standing instanceof Waiting waiting
                      ? new Waiting(waiting.ahead(), List.of(), waiting.nextDue())
                      : standing)
          .toList();
    }
  }

  private static final class NeverEnds extends InterceptedBackend {
    NeverEnds(LockBackend target) {
      super(target);
    }

    @Override
    public Ended end(SessionId session, EndIf when, Deadline deadline) {
      return when == EndIf.LAPSED ? Ended.OVER : super.end(session, when, deadline);
    }
  }

  private static final class TrustsHints extends InterceptedBackend {
    TrustsHints(LockBackend target) {
      super(target);
    }

    @Override
    public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
      return super.look(session, requests, deadline).stream()
          .<Standing>map(
              standing ->
                  standing instanceof Standing.Holding
                      ? new Waiting(1, List.of(), Optional.empty())
                      : standing)
          .toList();
    }
  }

  private static final class OneAtATime extends InterceptedBackend {
    OneAtATime(LockBackend target) {
      super(target);
    }

    @Override
    protected synchronized Object intercept(Verb verb, Invocation call) {
      return call.proceed();
    }
  }

  private static final class ClosesSilently extends InterceptedBackend {
    private final Set<RequestId> released = ConcurrentHashMap.newKeySet();

    ClosesSilently(LockBackend target) {
      super(target);
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      released.add(request);
      return Released.FREED;
    }

    @Override
    public Ended end(SessionId session, EndIf when, Deadline deadline) {
      return Ended.OVER;
    }
  }
}
