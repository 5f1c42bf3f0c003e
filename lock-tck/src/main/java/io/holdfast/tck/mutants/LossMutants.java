package io.holdfast.tck.mutants;

import io.holdfast.LockName;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.faults.InterceptedBackend;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

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
                    new Unguarded(store, options) {
                      @Override
                      public Attempt overtake(Request request, Observed head, Deadline deadline) {
                        return unguarded.overtake(request, head, deadline);
                      }
                    },
            "FailOverRules.duringTheGuardNobodyIsOvertakenInto"),
        Mutant.ofStore(
            "restart-guard-forgotten-for-what-was-given-back",
            "† Nobody is granted anything, by a memory of a lock that was free neither",
            () -> (options, store) -> new TakingAgain(store, options),
            "FailOverRules.duringTheGuardAClientIsNotGrantedAgainWhatItGaveBack"),
        Mutant.ofStore(
            "restart-guard-cannot-be-switched-off",
            "Whoever switches the guard off does not wait",
            () ->
                (options, store) ->
                    store.apply(new BackendOptions(options.namespace(), RestartGuard.ON)),
            "FailOverRules.withTheGuardOffNobodyWaits"));
  }

  private abstract static class Unguarded extends InterceptedBackend {

    final LockBackend unguarded;

    Unguarded(Function<BackendOptions, LockBackend> store, BackendOptions options) {
      super(store.apply(options));
      this.unguarded = store.apply(new BackendOptions(options.namespace(), RestartGuard.OFF));
    }

    @Override
    public void close() {
      super.close();
      unguarded.close();
    }
  }

  private static final class TakingAgain extends Unguarded {

    private final Set<LockName> leftFree = ConcurrentHashMap.newKeySet();

    TakingAgain(Function<BackendOptions, LockBackend> store, BackendOptions options) {
      super(store, options);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      return leftFree.contains(request.name())
          ? unguarded.grab(request, deadline)
          : super.grab(request, deadline);
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      Released released = super.release(name, request, deadline);
      if (released == Released.FREED) {
        leftFree.add(name);
      }
      return released;
    }
  }
}
