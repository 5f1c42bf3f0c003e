package io.holdfast.memory.mutants;

import io.holdfast.memory.MemoryRules;
import io.holdfast.memory.Stamp;
import io.holdfast.tck.mutants.Mutant;
import java.util.List;

/** Mistakes in when a revocation is due. */
final class RevocationMutants {

  private RevocationMutants() {}

  static List<Mutant> all() {
    return List.of(
        MemoryMutant.of(
            "revocation-counted-from-the-grant",
            "† A revoked holder has a whole TTL from the revocation (known failure 58)",
            new MemoryRules() {
              @Override
              protected Stamp revocationBegan(Stamp granted, Stamp revoked) {
                return granted;
              }
            },
            "RevokeRules.aHolderOfLongStandingHasAWholeTtlFromItsRevocation"),
        MemoryMutant.of(
            "each-revocation-begins-anew",
            "Revoking again does not begin another wait (known failure 20)",
            new MemoryRules() {
              @Override
              protected boolean firstMarkCounts() {
                return false;
              }
            },
            "RevokeRules.revokingAgainBeginsNoOtherWait"),
        MemoryMutant.of(
            "record-marked-before-the-session",
            "† First the session is marked, then the record",
            MemoryMutant.IN_STEPS.rules(
                new MemoryRules() {
                  @Override
                  protected boolean sessionBeforeRecord() {
                    return false;
                  }
                }),
            "DyingRules.whoRevokesMayDieMeanwhile"));
  }
}
