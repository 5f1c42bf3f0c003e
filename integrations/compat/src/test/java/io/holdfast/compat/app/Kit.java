package io.holdfast.compat.app;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.memory.MemoryOptions;
import io.holdfast.tck.memory.MemoryTckStore;
import io.holdfast.tck.store.TckStore;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
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
          "nobodyIsGrantedAnythingUntilEarlierLeasesHaveRunOut",
          "whoJoinsWhileTheHolderReleasesIsNotForgottenInAnyOrder",
          "aFreeLockIsGrantedWithATokenAndIsFreeAfterwards",
          "aHolderThatIsCutOffStopsBelievingBeforeAnybodyElseIsGranted");

  private Kit() {}

  /** The kit on memory, as an adapter's author would write it. */
  public static final class OnMemory extends HoldfastTck {
    @Override
    protected TckStore openStore() {
      return new MemoryTckStore(MemoryOptions.DEFAULTS);
    }
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
