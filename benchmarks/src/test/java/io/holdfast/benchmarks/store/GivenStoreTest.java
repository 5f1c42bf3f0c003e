package io.holdfast.benchmarks.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.benchmarks.comparison.Comparison;
import io.holdfast.benchmarks.comparison.Figures;
import io.holdfast.benchmarks.comparison.Timing;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GivenStoreTest {

  @Test
  void anyUriOfAnAdapterOnTheClassPathCanBeMeasured() throws Exception {
    try (GivenStore store = new GivenStore("memory:given")) {
      Timing timing = new Timing(2, Duration.ofMillis(1), Duration.ofMillis(1), 0);
      List<Figures> figures = new Comparison(timing).run(store.contenders(), 2);

      assertThat(figures)
          .extracting(Figures::name)
          .containsExactly("Holdfast on memory", "Holdfast");
      assertThat(store.label()).isEqualTo("given-memory");
    }
  }

  @Test
  void noReportTellsAPassword() {
    assertThat(new GivenStore("redis://me:secret@host").description()).doesNotContain("secret");
  }
}
