package io.holdfast.tck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.NetworkControl;
import io.holdfast.tck.store.QuorumControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.StepControl;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a store claims is what the kit tests, and everybody can read which that is. */
public interface CapabilityRules extends SpiRules {

  @Test
  default void aStoreSaysWhoItIsWithoutBeingAsked() {
    LockBackend backend = bench().connect();

    assertThat(backend.describe()).isNotBlank().doesNotContainIgnoringCase("password");
    assertThat(backend.capabilities()).isEqualTo(bench().connect().capabilities());
  }

  @Test
  default void onlyWhatThisKitProvesIsClaimed() {
    LockBackend backend = bench().connect();
    Capabilities claimed = backend.capabilities();

    System.out.printf(
        "Holdfast TCK: %s claims %s, %s, expiry %s, modes %s, tokens that survive %s; tests can use %s%n",
        backend.describe(),
        claimed.wakeup(),
        claimed.order(),
        claimed.expiry(),
        claimed.modes(),
        claimed.tokensSurvive(),
        controls());

    assertThat(claimed.modes()).as("modes").containsExactly(LockMode.EXCLUSIVE);
  }

  /** Returns what the kit's rules cannot do with a control of this store. */
  private String limits(Class<?> kind) {
    return kind == NetworkControl.class
            && !bench().control(NetworkControl.class).framing().messagesStandAlone()
        ? " (no message comes twice)"
        : "";
  }

  private List<String> controls() {
    return Stream.of(
            ClockControl.class,
            RestartControl.class,
            FailOverControl.class,
            QuorumControl.class,
            StepControl.class,
            NetworkControl.class)
        .filter(kind -> bench().has(kind))
        .map(kind -> kind.getSimpleName() + limits(kind))
        .toList();
  }
}
