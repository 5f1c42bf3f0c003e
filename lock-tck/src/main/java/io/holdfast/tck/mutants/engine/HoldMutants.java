package io.holdfast.tck.mutants.engine;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.mutants.Mutant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Mistakes of an engine about numbers that it passes on or keeps without asking the store. */
public final class HoldMutants {

  private HoldMutants() {}

  public static List<Mutant> all() {
    return List.of(
        Mutant.ofEngine(
            "ignorance-is-free",
            "† What is not known to be free of waiters counts as contended",
            BelievesNobodyWaits::new,
            "CachedRules.aLockInUseForWhichAnotherClientWaitsIsNotKept"),
        Mutant.ofEngine(
            "taken-after-release",
            "† A number whose release was sent is dead",
            TakesWhatItReleased::new,
            "PassingOnRules.aNumberWhoseReleaseWasNotAnsweredIsNotPassedOn"),
        Mutant.ofEngine(
            "jeopardy-keeps-entry",
            "† What is kept in jeopardy is given back",
            KeepsThroughJeopardy::new,
            "CachedRules.whatIsKeptInJeopardyGoesBackAlthoughARenewalSavesTheSession"),
        Mutant.ofEngine(
            "local-overflows",
            "† A number is passed on only as often as it has local parts",
            PassesOnForEver::new,
            "PassingOnRules.tokensRiseOverWhatIsPassedOn"));
  }

  private static final class BelievesNobodyWaits extends InterceptedBackend {
    BelievesNobodyWaits(LockBackend target) {
      super(target);
    }

    @Override
    public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
      return super.look(session, requests, deadline).stream()
          .map(BelievesNobodyWaits::uncontended)
          .toList();
    }

    private static Standing uncontended(Standing standing) {
      return standing instanceof Standing.Holding holding
          ? new Standing.Holding(holding.number(), holding.since(), Contention.NOBODY_WAITS)
          : standing;
    }
  }

  private static final class TakesWhatItReleased extends InterceptedBackend {
    private final Map<LockName, Attempt> granted = new ConcurrentHashMap<>();
    private final Map<LockName, Attempt> released = new ConcurrentHashMap<>();

    TakesWhatItReleased(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      Attempt before = released.remove(request.name());
      if (before != null) {
        return before;
      }
      Attempt attempt = super.grab(request, deadline);
      if (attempt instanceof Attempt.Granted) {
        granted.put(request.name(), attempt);
      }
      return attempt;
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      try {
        return super.release(name, request, deadline);
      } catch (BackendFailure e) {
        released.putAll(granted);
        throw e;
      }
    }
  }

  private static final class KeepsThroughJeopardy extends InterceptedBackend {
    private volatile boolean wasCutOff;

    KeepsThroughJeopardy(LockBackend target) {
      super(target);
    }

    @Override
    public Renewed renew(SessionId session, Deadline deadline) {
      try {
        return super.renew(session, deadline);
      } catch (BackendFailure e) {
        wasCutOff = true;
        throw e;
      }
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      return wasCutOff ? Released.FREED : super.release(name, request, deadline);
    }
  }

  /** The store never sees the release; the local parts begin again under the same number. */
  private static final class PassesOnForEver extends InterceptedBackend {
    private final Map<LockName, Attempt> granted = new ConcurrentHashMap<>();

    PassesOnForEver(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      return granted.computeIfAbsent(request.name(), name -> super.grab(request, deadline));
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      return Released.FREED;
    }
  }
}
