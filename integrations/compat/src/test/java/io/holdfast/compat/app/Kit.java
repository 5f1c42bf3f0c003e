package io.holdfast.compat.app;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.store.RealClockControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs some rules of the kit, of every kind, on the store in memory. */
public final class Kit {

  /** The rules, each named by its method. */
  public static final List<String> RULES =
      List.of(
          "aFreeLockIsGranted",
          "aSessionThatLapsedButWasNotEndedComesBack",
          "waitersAreServedInTheOrderInWhichTheyJoined",
          "aRevokedLockStaysWithItsHolderForAWholeTtl",
          "aClockSetBackLowersNoNumber",
          "whoJoinsWhileTheHolderReleasesIsNotForgottenInAnyOrder",
          "aFreeLockIsGrantedWithATokenAndIsFreeAfterwards",
          "aHolderThatIsCutOffStopsBelievingBeforeAnybodyElseIsGranted");

  private Kit() {}

  /** The kit on memory, as an adapter's author would write it. */
  public static final class OnMemory extends HoldfastTck {
    @Override
    protected TckStore openStore() {
      return new Store(new MemoryStore("compat", MemoryOptions.DEFAULTS));
    }
  }

  private record Store(MemoryStore memory) implements TckStore, RealClockControl, StepControl {
    @Override
    public LockBackend connect(BackendOptions options) {
      return memory.connect(options);
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return memory.connect(options, beforeStep);
    }

    @Override
    public void stepClock(Duration by) {
      memory.stepClock(by);
    }

    @Override
    public void close() {}
  }

  /** Runs it. */
  public static void main(String[] arguments) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(RULES.stream().map(rule -> selectMethod(OnMemory.class, rule)).toList())
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    System.out.println(
        "passed %d failed %d"
            .formatted(summary.getTestsSucceededCount(), summary.getTestsFailedCount()));
    System.exit(0);
  }
}
