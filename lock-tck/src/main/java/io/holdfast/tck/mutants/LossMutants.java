package io.holdfast.tck.mutants;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.tck.faults.InterceptedBackend;
import java.util.List;

/** Mistakes about what a store may have lost. */
final class LossMutants {

  private LossMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofStore(
            "restart-guard-for-grabs-only",
            "† Nobody is granted anything, by overtaking neither",
            () ->
                (options, store) ->
                    new OvertakingDuringTheGuard(
                        store.apply(options),
                        store.apply(new BackendOptions(options.namespace(), RestartGuard.OFF))),
            "FailOverRules.duringTheGuardNobodyIsOvertakenInto"),
        Mutant.ofStore(
            "restart-guard-cannot-be-switched-off",
            "Whoever switches the guard off does not wait",
            () ->
                (options, store) ->
                    store.apply(new BackendOptions(options.namespace(), RestartGuard.ON)),
            "FailOverRules.withTheGuardOffNobodyWaits"));
  }

  private static final class OvertakingDuringTheGuard extends InterceptedBackend {
    private final LockBackend unguarded;

    OvertakingDuringTheGuard(LockBackend target, LockBackend unguarded) {
      super(target);
      this.unguarded = unguarded;
    }

    @Override
    public Attempt overtake(Request request, Observed head, Deadline deadline) {
      return unguarded.overtake(request, head, deadline);
    }

    @Override
    public void close() {
      super.close();
      unguarded.close();
    }
  }
}
