package io.holdfast.memory.mutants;

import io.holdfast.memory.MemoryRules;
import io.holdfast.memory.Stamp;
import io.holdfast.tck.mutants.Mutant;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Mistakes about locks that stay taken. */
final class StayMutants {

  private StayMutants() {}

  static List<Mutant> all() {
    return List.of(
        MemoryMutant.of(
            "second-release-frees",
            "† A further release changes nothing that stays",
            new MemoryRules() {
              @Override
              protected boolean releaseLeavesWhatStays() {
                return false;
              }
            },
            "StayRules.aFurtherReleaseChangesNothingThatStays"),
        MemoryMutant.of(
            "tombstone-needs-session",
            "† What stays belongs to no session",
            new MemoryRules() {
              @Override
              protected boolean staysWithoutSession() {
                return false;
              }
            },
            "StayRules.whatStaysOutlivesItsSession",
            "StayClientRules.aLeastTimeOutlivesItsClient"),
        MemoryMutant.of(
            "look-says-holding-tombstone",
            "† What stays is absent for its owner",
            new MemoryRules() {
              @Override
              protected boolean whatStaysIsAbsent() {
                return false;
              }
            },
            "StayRules.whatStaysIsAbsentForItsOwnerAndNotGrantedToALateCopy"),
        MemoryMutant.of(
            "delay-if-no-stay",
            "† A lock-delay begins also where a notice runs",
            new MemoryRules() {
              @Override
              protected boolean beginsDelay(boolean isUsedUp, boolean hasStay) {
                return !isUsedUp && !hasStay;
              }
            },
            "StayRules.aNoticeUsesUpNoDelay"),
        MemoryMutant.of(
            "delay-each-overtake",
            "† A lock-delay is had once",
            new MemoryRules() {
              @Override
              protected boolean beginsDelay(boolean isUsedUp, boolean hasStay) {
                return true;
              }
            },
            "StayRules.aDelayIsHadOnce"),
        MemoryMutant.of(
            "delay-after-release",
            "† A holder that releases leaves no delay",
            new MemoryRules() {
              @Override
              protected boolean releaseLeavesNoDelay() {
                return false;
              }
            },
            "StayRules.aHolderThatReleasesLeavesNoDelay",
            "StayClientRules.aClientThatClosesLeavesNoDelay"),
        MemoryMutant.of(
            "evict-unmarked",
            "† A holder that is revoked with notice is told",
            new MemoryRules() {
              @Override
              protected boolean noticeIsTold() {
                return false;
              }
            },
            "StayRules.aHolderIsToldHowLongItMayStillHold"),
        MemoryMutant.of(
            "evict-before-ttl",
            "† A short notice leaves a whole TTL all the same",
            new MemoryRules() {
              @Override
              protected Duration noticeStay(Duration notice, Duration ttl) {
                return notice;
              }
            },
            "StayRules.aShortNoticeLeavesAWholeTtlAllTheSame"),
        MemoryMutant.of(
            "last-notice-counts",
            "Of two who revoke a holder, none gives it more time than the other",
            new MemoryRules() {
              @Override
              protected boolean stricterNoticeCounts() {
                return false;
              }
            },
            "TwoRevokersRules.aSafeRevocationLeavesNoNoticeInAnyOrder",
            "TwoRevokersRules.ofTwoNoticesTheHolderHasTheShorterInAnyOrder",
            "TwoRevokersRules.aRevocationThatBrokeOffIsNotTakenBackByANotice"),
        MemoryMutant.of(
            "stay-other-incarnation",
            "† A stay is only compared with the clock that wrote its beginning",
            new MemoryRules() {
              @Override
              protected Optional<Duration> stayAge(Stamp began, Stamp now) {
                return Optional.of(Duration.of(now.micros() - began.micros(), ChronoUnit.MICROS))
                    .filter(age -> !age.isNegative());
              }
            },
            "StayClockRules.aStayOfAnotherIncarnationIsNotOverBecauseTheClockIsAnother"),
        MemoryMutant.of(
            "stay-restarts",
            "† A stay in the store's future begins anew once",
            new MemoryRules() {
              @Override
              protected Stamp restampedStay(Stamp began, Stamp now) {
                return began;
              }
            },
            "StayClockRules.aStayEndsAlthoughTheClockWasSetBack"),
        MemoryMutant.of(
            "stay-of-another-clock-never-ends",
            "† A stay that another clock has begun begins anew",
            new MemoryRules() {
              @Override
              protected Stamp restampedStay(Stamp began, Stamp now) {
                return began.incarnation() == now.incarnation()
                    ? super.restampedStay(began, now)
                    : began;
              }
            },
            "StayClockRules.whatStaysOfAnotherIncarnationIsSweptInTheEnd"),
        MemoryMutant.of(
            "sweep-only-reads-a-stay",
            "A sweep, too, lets a stay begin anew: else what nobody asks for stays for ever",
            new MemoryRules() {
              @Override
              protected boolean sweepRestampsStays() {
                return false;
              }
            },
            "StayClockRules.whatStaysOfAnotherIncarnationIsSweptInTheEnd"));
  }
}
