package io.holdfast.tck;

import io.holdfast.tck.process.ProcessRules;
import io.holdfast.tck.process.ProcessSubject;
import io.holdfast.tck.rules.Bench;
import io.holdfast.tck.rules.SpiRules;
import io.holdfast.tck.store.TckStore;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What all rules need. To be extended by {@link HoldfastTck} alone, and by a test of those rules,
 * its interfaces, that a second kind of server could break though the first has passed the whole
 * kit.
 */
public abstract class TckBase implements SpiRules, ProcessRules {

  private @Nullable Bench bench;

  /** Returns an empty namespace, for one test, which closes it. */
  protected abstract TckStore openStore() throws Exception;

  @BeforeEach
  final void openBench() throws Exception {
    bench = new Bench(openStore());
  }

  @AfterEach
  final void closeBench() throws Exception {
    if (bench != null) {
      bench.close();
    }
  }

  @Override
  public final Bench bench() {
    return Objects.requireNonNull(bench, "The store is opened before each test.");
  }

  @Override
  public final ProcessSubject processSubject() {
    return BenchSubject.of(bench());
  }
}
