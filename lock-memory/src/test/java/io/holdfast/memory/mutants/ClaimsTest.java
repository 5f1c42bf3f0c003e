package io.holdfast.memory.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryTckStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.RealClockControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.tck.store.WipeControl;
import io.holdfast.testing.kit.KitRun;
import io.holdfast.testing.kit.KitRun.Outcome;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that claims everything is not believed because nobody could look. */
class ClaimsTest {

  private static final String CLAIMS = "CapabilityRules.onlyWhatThisKitProvesIsClaimed";
  private static final String GUARD =
      "CapabilityRules.aStoreThatGuardsAgainstLossesCanBeMadeToLose";

  @Test
  void aStoreToWhichEverythingCanBeDoneIsBelieved() {
    assertThat(outcome(CLAIMS, new MemoryTckStore(MemoryOptions.DEFAULTS)))
        .isEqualTo(Outcome.PASSED);
    assertThat(outcome(GUARD, new MemoryTckStore(MemoryOptions.DEFAULTS)))
        .isEqualTo(Outcome.PASSED);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        RealClockControl.class,
        RestartControl.class,
        FailOverControl.class,
        WipeControl.class
      })
  void withoutAControlThatCouldRefuteThemItsClaimsAreNotProved(Class<?> control) {
    assertThat(outcome(CLAIMS, new Without(control))).isEqualTo(Outcome.SKIPPED);
  }

  /** As where the times on record are moved, and so no number ever comes of another clock. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "TokenRules.aClockSetBackLowersNoNumber",
        "TokenRules.numbersRiseOverTheDeletionOfARecord",
        "TokenRules.numbersRiseOverADeletionAndAClockSetBack",
        "TokenRules.numbersRiseWhileRecordsAreDeleted",
        "ClockRules.whetherASessionHasLapsedIsJudgedByTheStoresClockAlone",
        "ClockStepRules.tokensRiseOverAStepForwardAndBackAlsoIfTwoBelieveInOneLock",
        "ClockStepRules.aStepOfTheStoresClockIsReported"
      })
  void whereNoClockIsSetNothingIsProvedOfWhatComesOfIt(String rule) {
    assertThat(outcome(rule, new Without(RealClockControl.class))).isEqualTo(Outcome.SKIPPED);
  }

  @Test
  void aGuardThatNobodyCanTryIsAFailure() {
    assertThat(outcome(GUARD, new Without(FailOverControl.class))).isEqualTo(Outcome.FAILED);
  }

  private static Outcome outcome(String rule, TckStore store) {
    return KitRun.of(() -> store, List.of(rule)).values().iterator().next();
  }

  /** The store in memory, to which one thing cannot be done. */
  private record Without(Class<?> missing, TckStore all) implements TckStore {

    Without(Class<?> missing) {
      this(missing, new MemoryTckStore(MemoryOptions.DEFAULTS));
    }

    @Override
    public LockBackend connect(BackendOptions options) {
      return all.connect(options);
    }

    @Override
    public <T> Optional<T> control(Class<T> kind) {
      return kind == missing ? Optional.empty() : all.control(kind);
    }

    @Override
    public void close() throws Exception {
      all.close();
    }
  }
}
