package io.holdfast.tck.mutants;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.faults.Invocation;
import io.holdfast.tck.faults.Verb;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Mistakes about deadlines, and about what a call that failed has done. */
final class DeadlineMutants {

  private DeadlineMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofBackend(
            "deadline-ignored",
            "A call returns or throws within its deadline",
            Patient::new,
            "DeadlineRules.aCallWhoseDeadlineHasPassedFails",
            "DeadlineRules.wheneverTheDeadlinePassesWhatSaysThatItDidNothingDidNothing"),
        Mutant.ofBackend(
            "late-answer-says-that-nothing-was-done",
            "An answer that came too late does not mean that nothing was done",
            store -> new Denying(store, Deadline::hasPassed),
            "DeadlineRules.wheneverTheDeadlinePassesWhatSaysThatItDidNothingDidNothing"),
        Mutant.ofBackend(
            "interrupt-says-that-nothing-was-done",
            "An interrupt before the answer does not mean that nothing was done (known failure 5)",
            store -> new Denying(store, until -> Thread.currentThread().isInterrupted()),
            "DeadlineRules.anInterruptedCallThatSaysThatItDidNothingDidNothing"));
  }

  private static BackendFailure saysNothingWasDone() {
    return new BackendFailure(Effect.NONE, "Something went wrong.", null);
  }

  private static final class Patient extends InterceptedBackend {
    Patient(LockBackend target) {
      super(target);
    }

    @Override
    protected Object intercept(Verb verb, Invocation call) {
      return call.proceed(Deadline.in(Duration.ofSeconds(30)));
    }
  }

  /** Does what it is asked, and then says that it did not. */
  private static final class Denying extends InterceptedBackend {
    private final Predicate<Deadline> denies;

    Denying(LockBackend target, Predicate<Deadline> denies) {
      super(target);
      this.denies = denies;
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      Attempt attempt = super.grab(request, deadline);
      if (denies.test(deadline)) {
        throw saysNothingWasDone();
      }
      return attempt;
    }
  }
}
