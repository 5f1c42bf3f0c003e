package io.holdfast.memory.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryTckStore;
import io.holdfast.tck.TckBase;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.rules.failure.QuorumRules;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.kit.NestedLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the report says of an adapter that was tried by some rules only. */
class KitReportTest {

  private static final String NOT_PROVED = "## Rules that are not proved";
  private static final String HOLD = "## Rules that hold";

  @TempDir Path directory;

  /** Rules of somebody's own, besides those of the kit. */
  @Topic(value = "PRB", level = Level.CORE, clause = "nothing")
  interface ProbeRules {
    @Test
    @Rule("HF-PRB-01")
    default void one() {}

    @Test
    @Rule("HF-PRB-02")
    default void other() {}
  }

  @Adapter("probe")
  static class SomeRules extends TckBase implements QuorumRules, ProbeRules {
    @Override
    protected TckStore openStore() {
      return new MemoryTckStore(MemoryOptions.DEFAULTS);
    }
  }

  /** Whoever overrides a rule silences it. */
  @Adapter("probe")
  static final class Silenced extends SomeRules {
    @Override
    @Test
    @Disabled("I know better.")
    public void aRenewalIsNotAnsweredBeforeTheQuorumHasIt() {}

    @Override
    @Test
    public void one() {}
  }

  @Adapter("probe")
  static final class TellsNothing {
    @Test
    void passes() {}
  }

  @Test
  void aLevelIsNotPassedByAFewOfItsRules() throws IOException {
    String report = reportOf(SomeRules.class);

    assertThat(report).contains("| loss | NOT PROVED |", "| core | NOT PROVED |");
    assertThat(section(report, HOLD)).contains("HF-QUO-01", "HF-PRB-01", "HF-PRB-02");
    assertThat(section(report, NOT_PROVED))
        .contains("HF-CAP-01", "HF-FOV-01", "It was not run.")
        .doesNotContain("HF-QUO", "HF-PRB");
  }

  @Test
  void aRuleThatIsOverriddenIsNotProved() throws IOException {
    String report = reportOf(Silenced.class);

    assertThat(section(report, HOLD))
        .contains("HF-QUO-02", "HF-PRB-02")
        .doesNotContain("HF-QUO-01", "HF-PRB-01");
    assertThat(section(report, NOT_PROVED)).contains("HF-QUO-01", "HF-PRB-01");
  }

  @Test
  void whereNothingIsKnownOfTheStoreNoClaimIsProved() throws IOException {
    reportOf(TellsNothing.class);

    assertThat(Files.readString(directory.resolve("report.json")))
        .contains("no claim known")
        .doesNotContain("every claim PROVED");
  }

  private String reportOf(Class<?> tests) throws IOException {
    NestedLauncher.make()
        .execute(
            request()
                .selectors(selectClass(tests))
                .configurationParameter("holdfast.tck.report", directory.toString())
                .build());
    return Files.readString(directory.resolve("probe.md"));
  }

  /** Returns what stands under a title. */
  private static String section(String report, String title) {
    String from = report.substring(report.indexOf(title) + title.length());
    int end = from.indexOf("\n## ");
    return end < 0 ? from : from.substring(0, end);
  }
}
