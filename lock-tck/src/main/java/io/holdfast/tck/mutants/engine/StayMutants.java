package io.holdfast.tck.mutants.engine;

import io.holdfast.LockName;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.mutants.Mutant;
import java.time.Duration;
import java.util.List;

/** Mistakes of an engine about locks that stay taken. */
public final class StayMutants {

  private StayMutants() {}

  public static List<Mutant> all() {
    return List.of(
        Mutant.ofEngine(
            "unused-grant-stays",
            "† A grant that did not reach its caller leaves nothing",
            EveryReleaseStays::new,
            "StayClientRules.aGrantThatDidNotReachItsCallerLeavesNothing"),
        Mutant.ofEngine(
            "delay-after-close",
            "† A client that closes releases what has a lock-delay before its session ends",
            ReleasesNothing::new,
            "StayClientRules.aClientThatClosesLeavesNoDelay"),
        Mutant.ofEngine(
            "least-time-ends-with-session",
            "† A client that closes leaves what has a least time before its session ends",
            ReleasesNothing::new,
            "StayClientRules.aLeastTimeOutlivesItsClient"));
  }

  private static final class EveryReleaseStays extends InterceptedBackend {
    EveryReleaseStays(LockBackend target) {
      super(target);
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      return super.releaseAfter(new RequestKey(name, request), Duration.ofHours(1), deadline);
    }
  }

  private static final class ReleasesNothing extends InterceptedBackend {
    ReleasesNothing(LockBackend target) {
      super(target);
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      return Released.FREED;
    }

    @Override
    public Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
      return Released.STAYS;
    }
  }
}
