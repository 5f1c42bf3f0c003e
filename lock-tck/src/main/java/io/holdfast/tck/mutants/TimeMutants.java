package io.holdfast.tck.mutants;

import io.holdfast.SessionId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.faults.InterceptedBackend;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Mistakes in judging the store's clock. */
final class TimeMutants {

  private TimeMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofStore(
            "lapsed-by-the-clients-clock",
            "Whether a session has lapsed is judged by the store's clock (known failure 14)",
            () -> clientsClock((lapsedHere, lapsedThere) -> lapsedHere),
            "ClockRules.whetherASessionHasLapsedIsJudgedByTheStoresClockAlone"),
        Mutant.ofStore(
            "lapsed-by-both-clocks",
            "A session that has lapsed by the store's clock is ended by anybody (known failure 25)",
            () -> clientsClock((lapsedHere, lapsedThere) -> lapsedHere && lapsedThere),
            "ClockRules.whetherASessionHasLapsedIsJudgedByTheStoresClockAlone"),
        Mutant.ofStore(
            "lapsed-by-either-clock",
            "Whether a session has lapsed is judged by the store's clock alone (known failure 14)",
            () -> clientsClock((lapsedHere, lapsedThere) -> lapsedHere || lapsedThere),
            "ClockRules.whetherASessionHasLapsedIsJudgedByTheStoresClockAlone"),
        Mutant.ofEngine(
            "blind-for-the-stores-clock",
            "Who relies on the store's clock is told when it is set",
            TimeMutants::renewingWithoutTime,
            "ClockStepRules.aStepOfTheStoresClockIsReported"),
        Mutant.ofStore(
            "sweep-ends-whatever-lapsed",
            "A session that lapsed comes back until somebody wants its lock",
            () -> {
              List<SessionId> opened = new CopyOnWriteArrayList<>();
              return (options, store) -> sweepingSessions(store.apply(options), opened);
            },
            "SweepRules.aSessionThatLapsedAnHourAgoIsNotSwept"),
        Mutant.ofBackend(
            "sweep-takes-held-locks",
            "What is held or awaited is never deleted (known failure 12)",
            TimeMutants::sweepingHolders,
            "SweepRules.aLockThatIsHeldOrAwaitedIsNotSwept"),
        Mutant.ofBackend(
            "nothing-is-swept",
            "What nobody needs any more is deleted (known failures 19 and 42)",
            TimeMutants::sweepingNothing,
            "SweepRules.aRecordThatWasFreeForADayIsGone",
            "SweepRules.aSessionThatLapsedADayAgoIsGone"),
        Mutant.ofBackend(
            "only-one-sweep-deletes",
            "A bounded sweep is followed by others until nothing is left (known failure 19)",
            TimeMutants::sweepingOnce,
            "SweepRules.manyRecordsThatWereFreeForADayAreGoneThoughASweepIsBounded"));
  }

  /** Whether a session has lapsed, by the client's clock and by the store's. */
  @FunctionalInterface
  private interface Verdict {
    boolean lapsed(boolean here, boolean there);
  }

  private static Mutant.Connector clientsClock(Verdict verdict) {
    Map<SessionId, Duration> ttls = new ConcurrentHashMap<>();
    Map<SessionId, Long> renewals = new ConcurrentHashMap<>();
    return (options, store) -> new ClientsClock(store.apply(options), verdict, ttls, renewals);
  }

  private static final class ClientsClock extends InterceptedBackend {
    private final Verdict verdict;
    private final Map<SessionId, Duration> ttls;
    private final Map<SessionId, Long> renewals;

    ClientsClock(
        LockBackend target,
        Verdict verdict,
        Map<SessionId, Duration> ttls,
        Map<SessionId, Long> renewals) {
      super(target);
      this.verdict = verdict;
      this.ttls = ttls;
      this.renewals = renewals;
    }

    @Override
    public Opened open(SessionSpec spec, Deadline deadline) {
      ttls.put(spec.id(), spec.ttl());
      renewals.put(spec.id(), System.nanoTime());
      return super.open(spec, deadline);
    }

    @Override
    public Renewed renew(SessionId session, Deadline deadline) {
      renewals.put(session, System.nanoTime());
      return super.renew(session, deadline);
    }

    @Override
    public Ended end(SessionId session, EndIf when, Deadline deadline) {
      Duration ttl = ttls.get(session);
      Long renewed = renewals.get(session);
      if (when == EndIf.CLOSED || ttl == null || renewed == null) {
        return super.end(session, when, deadline);
      }
      boolean here = System.nanoTime() - renewed > ttl.toNanos();
      boolean lapsed = verdict.lapsed(here, false);
      if (verdict.lapsed(here, true) && !lapsed) {
        return super.end(session, EndIf.LAPSED, deadline);
      }
      return lapsed ? super.end(session, EndIf.CLOSED, deadline) : Ended.ALIVE;
    }
  }

  private static LockBackend renewingWithoutTime(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Renewed renew(SessionId session, Deadline deadline) {
        return super.renew(session, deadline) instanceof Renewed.Alive alive
            ? new Renewed.Alive(alive.ttl(), alive.notices(), Optional.empty())
            : new Renewed.Over();
      }
    };
  }

  private static LockBackend sweepingSessions(LockBackend target, List<SessionId> opened) {
    return new InterceptedBackend(target) {
      @Override
      public Opened open(SessionSpec spec, Deadline deadline) {
        opened.add(spec.id());
        return super.open(spec, deadline);
      }

      @Override
      public int sweep(Deadline deadline) {
        opened.forEach(session -> super.end(session, EndIf.LAPSED, deadline));
        return super.sweep(deadline);
      }
    };
  }

  private static LockBackend sweepingHolders(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public int sweep(Deadline deadline) {
        super.list("", Optional.empty(), 1, deadline).stream()
            .forEach(
                record ->
                    super.release(
                        record.name(), record.holder().orElseThrow().request(), deadline));
        return super.sweep(deadline);
      }
    };
  }

  private static LockBackend sweepingOnce(LockBackend target) {
    AtomicBoolean swept = new AtomicBoolean();
    return new InterceptedBackend(target) {
      @Override
      public int sweep(Deadline deadline) {
        return swept.getAndSet(true) ? 0 : super.sweep(deadline);
      }
    };
  }

  private static LockBackend sweepingNothing(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public int sweep(Deadline deadline) {
        return 0;
      }
    };
  }
}
