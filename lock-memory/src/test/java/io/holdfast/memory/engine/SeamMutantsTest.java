package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.holdfast.engine.seam.Seam;
import io.holdfast.memory.world.InterceptedSeam;
import io.holdfast.memory.world.World;
import io.holdfast.testing.kit.NestedLauncher;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Mistakes of an engine about time, each with the test in virtual time that must reject it. */
class SeamMutantsTest {

  record SeamMutant(String name, String breaks, UnaryOperator<Seam> mistake, String rejectedBy) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<SeamMutant> mutants() {
    return Stream.of(
        new SeamMutant(
            "trusts-the-monotonic-clock-alone",
            "† A machine that slept does not believe on (known failure 59)",
            WithoutWallClock::new,
            "aMachineThatSleptDoesNotBelieveOn"),
        new SeamMutant(
            "clocks-compared-over-a-whole-lease",
            "† A clock that is set back does not hide that the machine slept",
            WithoutTicks::new,
            "aClockSetBackDoesNotHideThatTheMachineSleptAfterIt"),
        new SeamMutant(
            "counts-from-the-answer",
            "A lease counts from the sending of its renewal",
            CountsFromTheAnswer::new,
            "theLeaseCountsFromTheSendingOfTheRenewalNotFromItsAnswer"),
        new SeamMutant(
            "without-rate-margin",
            "A clock as slow as the bound allows gives up in time",
            WithoutRateMargin::new,
            "aClockAsSlowAsTheBoundAllowsStillGivesUpBeforeTheStoreDoes"),
        new SeamMutant(
            "timer-dies-with-the-first-failure",
            "No renewal that fails is the last (known failures 7 and 32)",
            TimerThatDies::new,
            "noRenewalThatFailsIsTheLast"),
        new SeamMutant(
            "calls-without-deadline",
            "A heartbeat that hangs is sent anew (known failure 8)",
            WithoutDeadlines::new,
            "aHeartbeatThatHangsIsSentAnew"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void everyMistakeIsRejectedByTheTestThatItNames(SeamMutant mutant) {
    assertThat(failures(mutant.rejectedBy(), UnaryOperator.identity())).isZero();
    assertThat(failures(mutant.rejectedBy(), mutant.mistake())).as(mutant.breaks()).isEqualTo(1);
  }

  private static long failures(String test, UnaryOperator<Seam> mistake) {
    Launcher launcher = NestedLauncher.make();
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    World.MISTAKE.set(mistake);
    try {
      launcher.execute(
          LauncherDiscoveryRequestBuilder.request()
              .selectors(selectMethod(LeaseTest.class, test))
              .build(),
          summary);
    } finally {
      World.MISTAKE.remove();
    }
    assertThat(summary.getSummary().getTestsFoundCount()).isEqualTo(1);
    return summary.getSummary().getTestsFailedCount();
  }

  private static final class WithoutWallClock extends InterceptedSeam {
    WithoutWallClock(Seam seam) {
      super(seam);
    }

    @Override
    public long wallMillis() {
      return 0;
    }
  }

  /** Looks at its clocks when it renews, and never between. */
  private static final class WithoutTicks extends InterceptedSeam {
    private static final long SHORT_NANOS = 1_000_000_000L;

    WithoutTicks(Seam seam) {
      super(seam);
    }

    @Override
    public Timer after(long delayNanos, Runnable task) {
      boolean isTick = delayNanos > 0 && delayNanos < SHORT_NANOS;
      return isTick ? () -> {} : super.after(delayNanos, task);
    }
  }

  private static final class CountsFromTheAnswer extends InterceptedSeam {
    private static final long ROUND_TRIP_NANOS = 3_000_000_000L;
    private boolean sending;

    CountsFromTheAnswer(Seam seam) {
      super(seam);
    }

    @Override
    public long nanos() {
      return seam.nanos() + (sending ? ROUND_TRIP_NANOS : 0);
    }

    @Override
    public long wallMillis() {
      return 0;
    }

    @Override
    public <T> void call(
        Runner runner,
        Duration timeout,
        Verb<T> verb,
        Consumer<T> onValue,
        Consumer<RuntimeException> onFailure) {
      super.call(
          runner,
          timeout,
          deadline -> {
            sending = true;
            try {
              return verb.call(deadline);
            } finally {
              sending = false;
            }
          },
          onValue,
          onFailure);
    }
  }

  private static final class WithoutRateMargin extends InterceptedSeam {
    WithoutRateMargin(Seam seam) {
      super(seam);
    }

    @Override
    public long nanos() {
      return (long) (seam.nanos() * 0.99);
    }

    @Override
    public long wallMillis() {
      return (long) (seam.wallMillis() * 0.99);
    }
  }

  private static final class TimerThatDies extends InterceptedSeam {
    private final AtomicBoolean dead = new AtomicBoolean();

    TimerThatDies(Seam seam) {
      super(seam);
    }

    @Override
    public Timer after(long delayNanos, Runnable task) {
      return dead.get() ? () -> {} : super.after(delayNanos, task);
    }

    @Override
    public <T> void call(
        Runner runner,
        Duration timeout,
        Verb<T> verb,
        Consumer<T> onValue,
        Consumer<RuntimeException> onFailure) {
      super.call(
          runner,
          timeout,
          verb,
          onValue,
          failure -> {
            dead.set(true);
            onFailure.accept(failure);
          });
    }
  }

  private static final class WithoutDeadlines extends InterceptedSeam {
    WithoutDeadlines(Seam seam) {
      super(seam);
    }

    @Override
    public <T> void call(
        Runner runner,
        Duration timeout,
        Verb<T> verb,
        Consumer<T> onValue,
        Consumer<RuntimeException> onFailure) {
      super.call(runner, Duration.ofDays(1), verb, onValue, onFailure);
    }
  }
}
