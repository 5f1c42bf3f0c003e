package io.holdfast.memory.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryRules;
import io.holdfast.memory.MemoryTckStore;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.faults.Invocation;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.kit.KitRun;
import io.holdfast.testing.kit.KitRun.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that takes long to answer is not taken for one that waits for its quorum. */
class SlowQuorumTest {

  private static final Duration TAKES = Duration.ofMillis(300);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "QuorumRules.aRenewalIsNotAnsweredBeforeTheQuorumHasIt",
        "QuorumRules.anOpeningIsNotAnsweredBeforeTheQuorumHasIt",
        "QuorumRules.aLookDoesNotTellWhatCanBeUndone"
      })
  void theQuorumOfASlowStoreIsTriedToo(String rule) {
    MemoryOptions early =
        MemoryOptions.DEFAULTS.rules(
            new MemoryRules() {
              @Override
              protected boolean answersWhenDurable() {
                return false;
              }
            });

    assertThat(outcome(rule, MemoryOptions.DEFAULTS)).isEqualTo(Outcome.PASSED);
    assertThat(outcome(rule, early)).isEqualTo(Outcome.FAILED);
  }

  private static Outcome outcome(String rule, MemoryOptions options) {
    return KitRun.of(() -> new Slow(new MemoryTckStore(options)), List.of(rule))
        .values()
        .iterator()
        .next();
  }

  /** The store in memory, from which no answer is in time that is wanted sooner. */
  private record Slow(TckStore all) implements TckStore {

    @Override
    public LockBackend connect(BackendOptions options) {
      return new InterceptedBackend(all.connect(options)) {
        @Override
        protected Object intercept(Verb verb, Invocation call) {
          if (call.deadline().remaining().compareTo(TAKES) < 0) {
            throw new BackendFailure(Effect.UNKNOWN, "The store takes longer.", null);
          }
          return call.proceed();
        }
      };
    }

    @Override
    public <T> Optional<T> control(Class<T> kind) {
      return all.control(kind);
    }

    @Override
    public void close() throws Exception {
      all.close();
    }
  }
}
