package io.holdfast.memory.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryTckStore;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.DisturbedServer;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.kit.NestedLauncher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

/** Where JUnit runs tests in parallel, rules overlap, and one that disturbs others is alone. */
class ServerSharingTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Rules that pass only if they run at the same time, and rules that pass only alone. */
  interface ProbeRules {
    AtomicInteger RUNNING = new AtomicInteger();
    CyclicBarrier ALL_BUT_THOSE_THAT_DISTURB = new CyclicBarrier(3);
    CyclicBarrier ONE_OF_THOSE_AS_WELL = new CyclicBarrier(4);

    private static void meet(CyclicBarrier others) throws Exception {
      RUNNING.incrementAndGet();
      try {
        others.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      } finally {
        RUNNING.decrementAndGet();
      }
    }

    private static void beAlone() {
      assertThat(RUNNING.incrementAndGet()).isEqualTo(1);
      try {
        // For so long others would have begun, if they could.
        await().during(Duration.ofMillis(200)).until(() -> RUNNING.get() == 1);
      } finally {
        RUNNING.decrementAndGet();
      }
    }

    /** Which rules meet. */
    CyclicBarrier others();

    @Test
    default void one() throws Exception {
      meet(others());
    }

    @Test
    default void two() throws Exception {
      meet(others());
    }

    @Test
    default void three() throws Exception {
      meet(others());
    }

    @Test
    @Disturbs(RestartControl.class)
    default void restarting() throws Exception {
      if (others() == ALL_BUT_THOSE_THAT_DISTURB) {
        beAlone();
      } else {
        meet(others());
      }
    }

    @Test
    @Disturbs(ClockControl.class)
    default void settingTheClock() {
      if (others() == ALL_BUT_THOSE_THAT_DISTURB) {
        beAlone();
      }
    }
  }

  /** The kit as most adapters have it. */
  static class OnOneServer extends HoldfastTck implements ProbeRules {
    @Override
    protected TckStore openStore() {
      return new MemoryTckStore(MemoryOptions.DEFAULTS);
    }

    @Override
    public CyclicBarrier others() {
      return ALL_BUT_THOSE_THAT_DISTURB;
    }
  }

  /** The kit on stores that have nothing in common. */
  @SharedServer(disturbedBy = {})
  static final class OnStoresOfTheirOwn extends HoldfastTck implements ProbeRules {
    @Override
    protected TckStore openStore() {
      return new MemoryTckStore(MemoryOptions.DEFAULTS);
    }

    @Override
    public CyclicBarrier others() {
      return ONE_OF_THOSE_AS_WELL;
    }
  }

  /** The kit with a second server for what disturbs. */
  static final class OnTwoServers extends HoldfastTck implements ProbeRules, DisturbedServer {
    static final AtomicInteger STORES = new AtomicInteger();
    static final AtomicInteger STORES_TO_DISTURB = new AtomicInteger();

    @Override
    protected TckStore openStore() {
      STORES.incrementAndGet();
      return new MemoryTckStore(MemoryOptions.DEFAULTS);
    }

    @Override
    public TckStore openStoreToDisturb() {
      STORES_TO_DISTURB.incrementAndGet();
      return new MemoryTckStore(MemoryOptions.DEFAULTS);
    }

    @Override
    public CyclicBarrier others() {
      return ONE_OF_THOSE_AS_WELL;
    }
  }

  @Test
  void rulesOverlapAndThoseThatDisturbOthersAreAlone() {
    assertThat(failures(OnOneServer.class)).isEmpty();
  }

  @Test
  void whereNothingIsSharedAllOverlap() {
    assertThat(failures(OnStoresOfTheirOwn.class)).isEmpty();
  }

  @Test
  void onASecondServerThoseThatDisturbOverlapWithTheOthers() {
    assertThat(failures(OnTwoServers.class)).isEmpty();

    assertThat(OnTwoServers.STORES).hasValue(3);
    assertThat(OnTwoServers.STORES_TO_DISTURB).hasValue(2);
  }

  private static List<String> failures(Class<?> tests) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    NestedLauncher.make()
        .execute(
            request()
                .selectors(
                    Stream.of("one", "two", "three", "restarting", "settingTheClock")
                        .map(method -> selectMethod(tests, method))
                        .toList())
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter(
                    "junit.jupiter.execution.parallel.mode.default", "same_thread")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter(
                    "junit.jupiter.execution.parallel.config.fixed.parallelism", "5")
                .build(),
            listener);
    List<String> failures = new ArrayList<>();
    for (Failure failure : listener.getSummary().getFailures()) {
      failures.add(failure.getTestIdentifier().getDisplayName() + ": " + failure.getException());
    }
    assertThat(listener.getSummary().getTestsFoundCount()).isEqualTo(5);
    return failures;
  }
}
