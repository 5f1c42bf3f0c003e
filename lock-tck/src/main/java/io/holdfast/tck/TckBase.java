package io.holdfast.tck;

import io.holdfast.tck.process.ProcessRules;
import io.holdfast.tck.process.ProcessSubject;
import io.holdfast.tck.report.Facts;
import io.holdfast.tck.report.Informed;
import io.holdfast.tck.rules.Bench;
import io.holdfast.tck.rules.SpiRules;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.QuorumControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;

/**
 * What all rules need. To be extended by {@link HoldfastTck} alone, and by a test of those rules,
 * its interfaces, that a second kind of server could break though the first has passed the whole
 * kit.
 *
 * <p>Where JUnit runs tests in parallel, rules run side by side, and those that disturb others are
 * alone ({@link SharedServer}).
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(
    value = SideBySide.SERVER,
    mode = ResourceAccessMode.READ,
    target = ResourceLockTarget.CHILDREN,
    providers = SideBySide.Locks.class)
@SharedServer(
    disturbedBy = {
      ClockControl.class,
      RestartControl.class,
      FailOverControl.class,
      QuorumControl.class
    })
public abstract class TckBase implements SpiRules, ProcessRules, Informed {

  private @Nullable Bench bench;

  /** Returns an empty namespace, for one test, which closes it. Others may be open meanwhile. */
  protected abstract TckStore openStore() throws Exception;

  @BeforeEach
  final void openBench(TestInfo test) throws Exception {
    open(test.getTestMethod().orElseThrow());
  }

  /** Does with a rule what JUnit does where it runs the tests. */
  final void play(Method rule) throws Exception {
    open(rule);
    try {
      rule.invoke(this);
    } finally {
      closeBench();
    }
  }

  private void open(Method rule) throws Exception {
    bench = new Bench(openStore(), SideBySide.disturbs(rule), SideBySide.shared(getClass()));
  }

  @AfterEach
  final void closeBench() throws Exception {
    if (bench != null) {
      bench.close();
    }
  }

  @Override
  public final Optional<Facts> facts() {
    return Optional.ofNullable(bench).flatMap(Bench::facts);
  }

  @Override
  public final Bench bench() {
    return Objects.requireNonNull(bench, "The store is opened before each test.");
  }

  @Override
  public final TckStore otherNamespace() throws Exception {
    return bench().closedWithThis(openStore());
  }

  @Override
  public final ProcessSubject processSubject() {
    return BenchSubject.of(bench());
  }
}
