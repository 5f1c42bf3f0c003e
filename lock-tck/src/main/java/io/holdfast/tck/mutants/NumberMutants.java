package io.holdfast.tck.mutants;

import io.holdfast.tck.memory.MemoryOptions;
import io.holdfast.tck.memory.MemoryRules;
import java.util.List;

/** Mistakes in counting grants. */
final class NumberMutants {

  private NumberMutants() {}

  static List<Mutant> all() {
    return List.of(
        mutant(
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
        mutant(
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
        mutant(
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
        mutant(
            "number-is-the-clock",
            "† A clock set back lowers no number",
            new MemoryRules() {
              @Override
              protected long number(long clockMicros, long last, long floor) {
                return clockMicros;
              }
            },
            "TokenRules.aClockSetBackLowersNoNumber"),
        mutant(
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

  private static Mutant mutant(
      String name, String breaks, MemoryRules rules, String... rejectedBy) {
    return Mutant.ofMemory(name, breaks, MemoryOptions.DEFAULTS.rules(rules), rejectedBy);
  }
}
