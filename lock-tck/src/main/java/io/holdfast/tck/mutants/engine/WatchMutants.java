package io.holdfast.tck.mutants.engine;

import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Watching;
import io.holdfast.spi.answer.Edition;
import io.holdfast.spi.answer.Sighting;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.mutants.Mutant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Mistakes about the order of the states that a watch tells. */
public final class WatchMutants {

  private WatchMutants() {}

  public static List<Mutant> all() {
    return List.of(
        Mutant.ofBackend(
            "watch-by-token",
            "† A watch orders states as the store does, not by the tokens that hold the lock",
            backend -> seeing(backend, WatchMutants::byToken),
            "WatchRules.aReaderThatLeavesAndAReleaseToNobodyAreNoOlderStates"),
        Mutant.ofBackend(
            "watch-in-any-order",
            "† A watch never tells an older state after a newer one",
            backend -> seeing(backend, WatchMutants::withoutOrder),
            "WatchRules.anOlderStateIsNeverToldAfterANewerOne"));
  }

  private static Sighting byToken(Sighting seen) {
    LockRecord record = seen.record();
    long greatest = record.holders().stream().mapToLong(record::numberOf).max().orElse(0);
    return new Sighting(record, Optional.of(new Edition(greatest, 0)));
  }

  private static Sighting withoutOrder(Sighting seen) {
    return new Sighting(seen.record(), Optional.empty());
  }

  private static LockBackend seeing(LockBackend backend, UnaryOperator<Sighting> mistake) {
    return new InterceptedBackend(backend) {
      @Override
      public Watching watch(LockName name, HintListener hints) {
        Watching watching = super.watch(name, hints);
        return new Watching() {
          @Override
          public Sighting read(int waiters, Deadline deadline) {
            return mistake.apply(watching.read(waiters, deadline));
          }

          @Override
          public void close() {
            watching.close();
          }
        };
      }
    };
  }
}
