package io.holdfast.tck;

import io.holdfast.tck.claim.Facts;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.process.ProcessRules;
import io.holdfast.tck.process.ProcessSubject;
import io.holdfast.tck.report.FactsSource;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.DisturbedServer;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.QuorumControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import java.lang.reflect.InvocationTargetException;
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
 * The base of all classes that run rules. Extend {@link HoldfastTck} instead, unless the whole kit
 * has passed on one kind of server and a test of a second kind needs only some of the rules: such a
 * test extends this class and implements the interfaces of those rules.
 *
 * <p>If JUnit runs tests in parallel, rules run concurrently. Rules that disturb others run alone
 * ({@link SharedServer}), or on another server ({@link DisturbedServer}).
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(
    value = ServerSharing.SERVER,
    mode = ResourceAccessMode.READ,
    target = ResourceLockTarget.CHILDREN,
    providers = ServerSharing.Locks.class)
@SharedServer(
    disturbedBy = {
      ClockControl.class,
      RestartControl.class,
      FailOverControl.class,
      QuorumControl.class
    })
public abstract class TckBase implements SpiRules, ProcessRules, FactsSource {

  private @Nullable StoreFixture fixture;
  private boolean disturbing;

  /** Returns an empty namespace for one test, which closes it. Others may be open meanwhile. */
  protected abstract TckStore openStore() throws Exception;

  @BeforeEach
  final void openFixture(TestInfo test) throws Exception {
    open(test.getTestMethod().orElseThrow());
  }

  /**
   * Executes one rule as JUnit would, without its extensions.
   *
   * @throws InvocationTargetException with what the rule has thrown
   */
  protected final void play(Method rule) throws Exception {
    try {
      open(rule);
      rule.invoke(this);
    } catch (Exception e) {
      closeAfter(e);
      throw e;
    }
    closeFixture();
  }

  private void closeAfter(Exception failure) {
    try {
      closeFixture();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }

  private void open(Method rule) throws Exception {
    disturbing = ServerSharing.isAlone(getClass(), rule);
    fixture =
        new StoreFixture(
            openStoreOfRule(), ServerSharing.disturbs(rule), ServerSharing.shared(getClass()));
  }

  private TckStore openStoreOfRule() throws Exception {
    return disturbing && this instanceof DisturbedServer server
        ? server.openStoreToDisturb()
        : openStore();
  }

  @AfterEach
  final void closeFixture() throws Exception {
    if (fixture != null) {
      fixture.close();
    }
  }

  @Override
  public final Optional<Facts> facts() {
    return Optional.ofNullable(fixture).flatMap(StoreFixture::facts);
  }

  @Override
  public final StoreFixture fixture() {
    return Objects.requireNonNull(fixture, "The store is opened before each test.");
  }

  @Override
  public final TckStore otherNamespace() throws Exception {
    return fixture().closedWithThis(openStoreOfRule());
  }

  @Override
  public final ProcessSubject processSubject() {
    return FixtureSubject.of(fixture());
  }
}
