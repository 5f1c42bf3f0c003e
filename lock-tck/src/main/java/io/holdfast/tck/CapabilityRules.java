package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.report.Catalogue;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.NotProvedException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.QuorumControl;
import io.holdfast.tck.store.RealClockControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.WipeControl;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The kit tests a store's claims, and every user can read which those are.
 *
 * <p>This is a class, below the interfaces of all other rules: JUnit asks of each method whether
 * its class has any test. Here it finds one at once; among the methods of all those interfaces that
 * took most of the time of its discovery.
 */
@Topic(value = "CAP", level = Level.CORE, clause = "LockBackend.capabilities and describe")
abstract class CapabilityRules extends AllRules {

  @Test
  @Rule("HF-CAP-01")
  public final void aStoreSaysWhoItIsWithoutBeingAsked() {
    LockBackend backend = fixture().connect();

    assertThat(backend.describe()).isNotBlank().doesNotContainIgnoringCase("password");
    assertThat(backend.capabilities())
        .as("capabilities() of two connections")
        .isEqualTo(fixture().connect().capabilities());
  }

  /**
   * A claim that no test could refute is worth nothing. It is not proved. The class that names the
   * adapter in {@link Adapter} says so there, or the claim is a mistake.
   */
  @Test
  @Rule("HF-CAP-02")
  public final void onlyWhatThisKitProvesIsClaimed() {
    LockBackend backend = fixture().connect();
    assertThat(backend.capabilities().modes())
        .as("the modes that capabilities() claims")
        .contains(LockMode.EXCLUSIVE);
    Set<Claim> open = EnumSet.noneOf(Claim.class);
    open.addAll(fixture().facts().orElseThrow().claims());
    open.removeIf(this::canBeRefuted);

    Optional<Adapter> named = Optional.ofNullable(getClass().getAnnotation(Adapter.class));
    if (named.isPresent()) {
      for (Class<?> other : named.get().provedBy()) {
        open.removeAll(Catalogue.provenBy(other));
      }
      assertThat(open)
          .as("claims that nothing could refute, against notProved in @Adapter of %s", getClass())
          .containsExactlyInAnyOrder(named.get().notProved());
    } else if (!open.isEmpty()) {
      throw new NotProvedException(
          "No control of this TckStore, and no class in @Adapter(provedBy), could refute " + open);
    }
  }

  /** A store that says that losses do no harm lets a test make them. */
  @Test
  @Rule(value = "HF-CAP-03", marked = 9, level = Level.LOSS)
  public final void aStoreThatGuardsAgainstLossesCanBeMadeToLose() {
    NotApplicableException.unless(
        fixture().capabilities().losses() == Losses.GUARDED, "This store claims no restart guard.");

    assertThat(fixture().has(FailOverControl.class))
        .as("TckStore implements FailOverControl, as capabilities() says that losses are guarded")
        .isTrue();
  }

  private boolean canBeRefuted(Claim claim) {
    return switch (claim) {
      case PUSH, FIFO, ENDED_BY_OTHERS, ENDED_BY_STORE, RESUMABLE -> true;
      case TOKENS_SURVIVE_DELETION -> fixture().has(RealClockControl.class) || keepsNoFreeRecord();
      case TOKENS_SURVIVE_RESTART, GRANTS_SURVIVE_RESTART -> fixture().has(RestartControl.class);
      case TOKENS_SURVIVE_FAIL_OVER ->
          fixture()
              .store()
              .control(FailOverControl.class)
              .filter(FailOverControl::hasReplica)
              .isPresent();
      case TOKENS_SURVIVE_PARTIAL_LOSS, GUARDED -> fixture().has(FailOverControl.class);
      case TOKENS_SURVIVE_TOTAL_LOSS -> fixture().has(WipeControl.class);
      case GRANTS_SURVIVE_FAIL_OVER -> fixture().has(QuorumControl.class);
    };
  }

  private boolean keepsNoFreeRecord() {
    SpiClient client = fixture().client();
    LockName name = new LockName("free");
    client.release(client.hold(name));
    return client.inspect(name).isEmpty();
  }
}
