package io.holdfast.memory.mutants;

import io.holdfast.memory.MemoryRules;
import io.holdfast.tck.mutants.Mutant;
import java.util.List;

/** Mistakes in counting grants. */
final class NumberMutants {

  private NumberMutants() {}

  static List<Mutant> all() {
    return List.of(
        MemoryMutant.of(
            "number-given-twice",
            "Numbers strictly rise (known failure 22)",
            new MemoryRules() {
              @Override
              protected long number(long clockMicros, long last, long floor) {
                return last > 0 ? last : super.number(clockMicros, last, floor);
              }
            },
            "TokenRules.numbersRiseOverManyGrants",
            "TokenRules.numbersRiseInTheOrderInWhichManyClientsHold",
            "UnsettledRules.aLateCopyOfAGrabAfterItsReleaseIsSeenByLookAndReleased"),
        MemoryMutant.of(
            "hand-over-keeps-the-number",
            "Every head has a number of its own (known failure 34)",
            new MemoryRules() {
              @Override
              protected long handedOn(long last, long next) {
                return last;
              }
            },
            "TokenRules.numbersRiseOverHandOvers",
            "QueueRules.aReleaseHandsTheLockToTheNextWaiter",
            "RevokeRules.revokingNowHandsTheLockToTheNextWaiter"),
        MemoryMutant.of(
            "number-counted-in-the-record",
            "† A number survives the loss of its record (known failures 23, 30 and 51)",
            new MemoryRules() {
              @Override
              protected long number(long clockMicros, long last, long floor) {
                return last + 1;
              }
            },
            "TokenRules.numbersRiseOverTheDeletionOfARecord",
            "TokenRules.numbersRiseOverTheDeletionOfEverything",
            "FailOverRules.numbersRiseOverAGrantThatWasLost",
            "FailOverRules.numbersRiseOverTheLossOfEverything"),
        MemoryMutant.of(
            "number-is-the-clock",
            "† A clock set back lowers no number",
            new MemoryRules() {
              @Override
              protected long number(long clockMicros, long last, long floor) {
                return clockMicros;
              }
            },
            "TokenRules.aClockSetBackLowersNoNumber"),
        MemoryMutant.of(
            "deleted-without-a-floor",
            "† A record is deleted only after the floor was raised to its number",
            new MemoryRules() {
              @Override
              protected long raised(long floor, long number) {
                return floor;
              }
            },
            "TokenRules.numbersRiseOverADeletionAndAClockSetBack"));
  }
}
