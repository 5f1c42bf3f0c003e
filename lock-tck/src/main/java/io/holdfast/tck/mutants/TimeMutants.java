package io.holdfast.tck.mutants;

import io.holdfast.SessionId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Opened;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.SessionSpec;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.memory.MemoryOptions;
import io.holdfast.tck.memory.MemoryRules;
import io.holdfast.tck.memory.Stamp;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
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
        mutant(
            "renewal-in-the-future-stays",
            "† A renewal in the store's future is rewritten: else a clock set back costs an hour",
            new MemoryRules() {
              @Override
              protected Optional<Duration> age(Stamp then, Stamp now) {
                return then.micros() > now.micros()
                    ? Optional.of(Duration.ZERO)
                    : super.age(then, now);
              }
            },
            "ClockRules.aClockSetBackCostsOneMoreTtlAndNotAnHour"),
        mutant(
            "another-incarnations-clock-believed",
            "† A renewal time is only compared with the clock that wrote it",
            new MemoryRules() {
              @Override
              protected Optional<Duration> age(Stamp then, Stamp now) {
                return Optional.of(Duration.of(now.micros() - then.micros(), ChronoUnit.MICROS))
                    .filter(age -> !age.isNegative());
              }
            },
            "RestartRules.aSessionOfAnotherIncarnationIsGivenAWholeTtl",
            "RestartRules.aHolderOfAnotherIncarnationIsDoubtfulAndComesBack",
            "RestartRules.aRevocationOfAnotherIncarnationIsNotDueBecauseTheClockIsAnother"),
        mutant(
            "another-incarnations-revocation-believed",
            "† A revocation's time, too, is only compared with the clock that wrote it",
            new MemoryRules() {
              @Override
              protected Stamp restampedRevocation(Stamp revoked, Stamp now) {
                return new Stamp(Math.min(revoked.micros(), now.micros()), now.incarnation());
              }
            },
            "RestartRules.aRevocationOfAnotherIncarnationIsNotDueBecauseTheClockIsAnother"),
        mutant(
            "doubtful-renewal-not-restamped",
            "† Whoever finds a renewal of another incarnation re-stamps it (known failure 25)",
            new MemoryRules() {
              @Override
              protected Stamp restamped(Stamp then, Stamp now) {
                return then;
              }
            },
            "RestartRules.aSessionOfAnotherIncarnationIsEndedAfterThatTtl",
            "ClockRules.aClockSetBackCostsOneMoreTtlAndNotAnHour"),
        mutant(
            "restart-guard-in-the-future-stays",
            "† A restart guard in the store's future begins anew: else nobody is granted anything",
            new MemoryRules() {
              @Override
              protected Stamp restampedGuard(Stamp began, Stamp now) {
                return began;
              }
            },
            "FailOverRules.aClockSetBackDuringTheGuardCostsOneMoreGuardAndNotAnHour"),
        mutant(
            "revocation-in-the-future-stays",
            "† A revocation in the store's future begins anew: else it is due an hour late",
            new MemoryRules() {
              @Override
              protected Stamp restampedRevocation(Stamp revoked, Stamp now) {
                return revoked;
              }
            },
            "ClockRules.aRevocationIsDueAfterATtlAlthoughTheClockWasSetBack"),
        mutant(
            "idle-since-the-future-stays",
            "A record of the store's future is swept like others: else it stays until then",
            new MemoryRules() {
              @Override
              protected Stamp restampedIdle(Stamp since, Stamp now) {
                return since;
              }
            },
            "SweepRules.whatAClockFarAheadHasLeftIsGoneInTheEnd"),
        mutant(
            "clock-step-not-added",
            "The tolerated clock step is added to every lease and to the wait after a revocation",
            new MemoryRules() {
              @Override
              protected Duration lease(Duration ttl, Duration maxClockStep) {
                return ttl;
              }
            },
            "ClockRules.aStepForwardWithinTheBoundEndsNoSession",
            "ClockRules.aStepForwardWithinTheBoundDoesNotMakeARevocationDue"),
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

  private static Mutant mutant(
      String name, String breaks, MemoryRules rules, String... rejectedBy) {
    return Mutant.ofMemory(name, breaks, MemoryOptions.DEFAULTS.rules(rules), rejectedBy);
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
