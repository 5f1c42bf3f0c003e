package io.holdfast.memory.mutants;

import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryRules;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.tck.mutants.Mutant;
import java.time.Duration;
import java.util.List;

/** Mistakes of a store that ends sessions by itself. */
final class ExpiryMutants {

  private ExpiryMutants() {}

  static List<Mutant> all() {
    return List.of(
        MemoryMutant.of(
            "requests-outlive-their-session",
            "A store that ends sessions takes their requests away (known failures 13 and 26)",
            MemoryOptions.DEFAULTS
                .expiry(Expiry.BY_STORE)
                .rules(
                    new MemoryRules() {
                      @Override
                      protected boolean requestsEndWithTheirSession() {
                        return false;
                      }
                    }),
            "ExpiryRules.aLockWhoseHolderLapsedIsFree",
            "ExpiryRules.aLockWhoseHolderLapsedPassesToTheNextWhoLives",
            "ExpiryRules.aHolderWhoseSessionIsClosedHasLeft",
            "ExpiryRules.aWaiterWhoseSessionIsClosedHasLeft"),
        MemoryMutant.of(
            "lapsed-session-lives-on",
            "A store that ends sessions ends what has lapsed (known failure 8)",
            MemoryOptions.DEFAULTS
                .expiry(Expiry.BY_STORE)
                .rules(
                    new MemoryRules() {
                      @Override
                      protected Duration lease(Duration ttl, Duration maxClockStep) {
                        return ttl.plus(Duration.ofDays(1));
                      }
                    }),
            "ExpiryRules.aSessionThatLapsedIsOver",
            "ExpiryRules.aLockWhoseHolderLapsedIsFree",
            "ExpiryRules.aHolderThatDoesNotComeBackAfterARestartIsEnded"));
  }
}
