package io.holdfast.tck.mutants;

import io.holdfast.SessionId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
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
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

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
            "RestartRules.aHolderOfAnotherIncarnationIsDoubtfulAndComesBack"),
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
            "SweepRules.aSessionThatLapsedADayAgoIsGone"));
  }

  private static Mutant mutant(
      String name, String breaks, MemoryRules rules, String... rejectedBy) {
    return Mutant.ofMemory(name, breaks, MemoryOptions.DEFAULTS.rules(rules), rejectedBy);
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

  private static LockBackend sweepingNothing(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public int sweep(Deadline deadline) {
        return 0;
      }
    };
  }
}
