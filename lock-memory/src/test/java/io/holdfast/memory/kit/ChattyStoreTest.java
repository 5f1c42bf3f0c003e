package io.holdfast.memory.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.EmbeddedClockTck;
import io.holdfast.testing.kit.NestedLauncher;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Whatever a driver prints in the child JVM with a clock of its own, verdicts arrive. */
@Tag("server")
class ChattyStoreTest {

  /** It prints where a verdict's line begins. */
  static final class Chatty extends EmbeddedClockTck {
    private static final Map<Path, MemoryStore> STORES = new ConcurrentHashMap<>();

    @Override
    protected LockBackend connect(Path directory, BackendOptions options) {
      System.out.print("connected, ");
      return STORES
          .computeIfAbsent(directory, any -> new MemoryStore("chatty", MemoryOptions.DEFAULTS))
          .connect(options);
    }
  }

  /** Its class cannot even be made. */
  static final class Unborn extends EmbeddedClockTck {
    Unborn() {
      // JUnit makes it here, too, where the build has set that property; the child has it not.
      if (System.getProperty("holdfast.tck.archives") == null) {
        throw new IllegalStateException("No drivers here.");
      }
    }

    @Override
    protected LockBackend connect(Path directory, BackendOptions options) {
      throw new IllegalStateException("No store here.");
    }
  }

  @Test
  void whatIsPrintedWithoutAnEndOfLineHidesNoVerdict() {
    SummaryGeneratingListener seen = run(Chatty.class);

    assertThat(seen.getSummary().getTestsSucceededCount()).isEqualTo(2);
  }

  @Test
  void whatFailsBesideARuleIsToldForEach() {
    SummaryGeneratingListener seen = run(Unborn.class);

    assertThat(seen.getSummary().getFailures())
        .hasSize(2)
        .allSatisfy(failure -> assertThat(failure.getException()).hasMessageContaining("No "));
  }

  private static SummaryGeneratingListener run(Class<?> tests) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    NestedLauncher.make()
        .execute(
            request()
                .selectors(
                    selectMethod(tests, "aClockSetBackLowersNoNumber"),
                    selectMethod(tests, "numbersRiseOverTheDeletionOfARecord"))
                .configurationParameter("holdfast.tck.report", "off")
                .build(),
            listener);
    return listener;
  }
}
