package io.holdfast.memory.mutants;

import io.holdfast.memory.MemoryRules;
import io.holdfast.memory.Stamp;
import io.holdfast.tck.mutants.Mutant;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Mistakes in judging the store's clock. */
final class ClockMutants {

  private ClockMutants() {}

  static List<Mutant> all() {
    return List.of(
        MemoryMutant.of(
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
        MemoryMutant.of(
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
        MemoryMutant.of(
            "another-incarnations-revocation-believed",
            "† A revocation's time, too, is only compared with the clock that wrote it",
            new MemoryRules() {
              @Override
              protected Stamp restampedStay(Stamp began, Stamp now) {
                return new Stamp(Math.min(began.micros(), now.micros()), now.incarnation());
              }
            },
            "RestartRules.aRevocationOfAnotherIncarnationIsNotDueBecauseTheClockIsAnother"),
        MemoryMutant.of(
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
        MemoryMutant.of(
            "restart-guard-in-the-future-stays",
            "† A restart guard in the store's future begins anew: else nobody is granted anything",
            new MemoryRules() {
              @Override
              protected Stamp restampedGuard(Stamp began, Stamp now) {
                return began;
              }
            },
            "FailOverRules.aClockSetBackDuringTheGuardCostsOneMoreGuardAndNotAnHour"),
        MemoryMutant.of(
            "revocation-in-the-future-stays",
            "† A revocation in the store's future begins anew: else it is due an hour late",
            new MemoryRules() {
              @Override
              protected Stamp restampedStay(Stamp began, Stamp now) {
                return began;
              }
            },
            "ClockRules.aRevocationIsDueAfterATtlAlthoughTheClockWasSetBack"),
        MemoryMutant.of(
            "idle-since-the-future-stays",
            "A record of the store's future is swept like others: else it stays until then",
            new MemoryRules() {
              @Override
              protected Stamp restampedIdle(Stamp since, Stamp now) {
                return since;
              }
            },
            "SweepRules.whatAClockFarAheadHasLeftIsGoneInTheEnd"),
        MemoryMutant.of(
            "sweep-believes-another-clock",
            "† A sweep, too, compares a renewal only with the clock that wrote it",
            new MemoryRules() {
              @Override
              protected Optional<Duration> ageForSweep(Stamp renewed, Stamp now) {
                return Optional.of(Duration.of(now.micros() - renewed.micros(), ChronoUnit.MICROS))
                    .filter(age -> !age.isNegative());
              }
            },
            "SweepRules.aSessionOfAnotherIncarnationIsNotSweptBeforeItCanRenew"),
        MemoryMutant.of(
            "clock-step-not-added",
            "The tolerated clock step is added to every lease and to the wait after a revocation",
            new MemoryRules() {
              @Override
              protected Duration lease(Duration ttl, Duration maxClockStep) {
                return ttl;
              }
            },
            "ClockRules.aStepForwardWithinTheBoundEndsNoSession",
            "ClockRules.aStepForwardWithinTheBoundDoesNotMakeARevocationDue"));
  }
}
