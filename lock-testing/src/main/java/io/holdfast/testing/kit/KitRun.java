package io.holdfast.testing.kit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.holdfast.tck.store.TckStore;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs some tests of the kit on a store, quietly, and tells how each ended. */
public final class KitRun {

  /** How a test ended. */
  public enum Outcome {
    PASSED,
    FAILED,
    SKIPPED
  }

  /**
   * How a test ended, and why.
   *
   * @param cause what it has thrown
   */
  public record Ending(Outcome outcome, Optional<Throwable> cause) {}

  private KitRun() {}

  /** Returns the outcomes of the tests, given and told as {@code Rules.test}. */
  public static Map<String, Outcome> of(Supplier<TckStore> store, Collection<String> tests) {
    Map<String, Outcome> outcomes = new TreeMap<>();
    endings(store, tests).forEach((test, ending) -> outcomes.put(test, ending.outcome()));
    return outcomes;
  }

  /** Returns how the tests ended, given and told as {@code Rules.test}. */
  public static Map<String, Ending> endings(Supplier<TckStore> store, Collection<String> tests) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                tests.stream()
                    .map(test -> selectMethod(SubjectOfKit.class, methodOf(test)))
                    .toList())
            .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
            // The store is this thread's. Runs are side by side instead.
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
            .configurationParameter("holdfast.tck.report", "off")
            .build();
    Listener listener = new Listener();
    SubjectOfKit.STORE.set(store);
    try {
      launcher().execute(request, listener);
    } finally {
      SubjectOfKit.STORE.remove();
    }
    Map<String, Ending> endings = new TreeMap<>();
    for (String test : tests) {
      @Nullable Ending ending = listener.endings.get(methodOf(test));
      if (ending == null) {
        throw new IllegalArgumentException("The kit has no test " + test);
      }
      endings.put(test, ending);
    }
    return endings;
  }

  private static String methodOf(String test) {
    return test.substring(test.indexOf('.') + 1);
  }

  private static Launcher launcher() {
    return LauncherFactory.create(
        LauncherConfig.builder()
            .enableLauncherSessionListenerAutoRegistration(false)
            .enableTestExecutionListenerAutoRegistration(false)
            .enablePostDiscoveryFilterAutoRegistration(false)
            .build());
  }

  private static final class Listener implements TestExecutionListener {
    private final Map<String, Ending> endings = new TreeMap<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest()) {
        String method = test.getLegacyReportingName().replaceAll("\\(.*", "");
        Outcome outcome =
            switch (result.getStatus()) {
              case SUCCESSFUL -> Outcome.PASSED;
              case FAILED -> Outcome.FAILED;
              case ABORTED -> Outcome.SKIPPED;
            };
        endings.put(method, new Ending(outcome, result.getThrowable()));
      }
    }
  }
}
