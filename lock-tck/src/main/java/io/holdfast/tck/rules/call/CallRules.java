package io.holdfast.tck.rules.call;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.error.HoldfastException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Calls that come too late, from an interrupted thread, or on a connection that is given up. */
@Topic(value = "CAL", level = Level.CORE, clause = "LockBackend: deadlines, failures and close")
public interface CallRules extends SpiRules {

  @Test
  @Rule("HF-CAL-01")
  default void aCallWhoseDeadlineHasPassedDoesNoHarm() {
    SpiClient client = fixture().client();
    Request request = client.waitingRequest(LOCK);
    Deadline passed = Deadline.in(Duration.ZERO);

    for (int i = 0; i < 5; i++) {
      inDoubt(() -> client.backend().grab(request, passed));
      inDoubt(() -> client.backend().renew(client.session(), passed));
      inDoubt(() -> client.backend().release(LOCK, request.id(), passed));
    }

    requireUnharmed(client, request);
  }

  @Test
  @Rule("HF-CAL-02")
  default void anOpeningWhoseDeadlineHasPassedIsNoSessionOrOne() {
    LockBackend backend = fixture().connect();
    SessionSpec spec = StoreFixture.spec(LONG);

    boolean opened = inDoubt(() -> backend.open(spec, Deadline.in(Duration.ZERO)));

    if (opened) {
      assertThat(backend.renew(spec.id(), StoreFixture.soon())).isInstanceOf(Renewed.Alive.class);
    }
    SpiClient.open(backend, LONG).hold(LOCK);
  }

  /** An interrupt may fail a call, but not the connection, nor hide whether the call was done. */
  @Test
  @Rule("HF-CAL-03")
  default void aCallFromAnInterruptedThreadDoesNoHarm() {
    SpiClient client = fixture().client();
    Request request = client.waitingRequest(LOCK);

    for (int i = 0; i < 5; i++) {
      interrupted(() -> client.grab(request));
      interrupted(client::renew);
      interrupted(() -> client.release(request));
    }

    requireUnharmed(client, request);
  }

  @Test
  @Rule("HF-CAL-04")
  default void closingAConnectionEndsNoSession() {
    LockBackend backend = fixture().connect();
    SpiClient client = SpiClient.open(backend, LONG);
    Held held = client.hold(LOCK);

    backend.close();
    backend.close();

    SpiClient elsewhere = client.on(fixture().connect());
    elsewhere.renewed();
    assertThat(elsewhere.holding(held.request())).isEqualTo(held);
  }

  private static void requireUnharmed(SpiClient client, Request request) {
    client.renewed();
    // A grab that was given up may arrive after later calls. So its client looks again.
    Awaitility.await()
        .atMost(LONG)
        .untilAsserted(
            () -> {
              client.release(request);
              client.requireFree(LOCK);
            });
    client.release(client.hold(request));
  }

  private static void interrupted(Runnable call) {
    Thread.currentThread().interrupt();
    try {
      inDoubt(call);
    } finally {
      // The flag may be set or not; it must not reach the next call of this test.
      Thread.interrupted();
    }
  }

  /**
   * Returns whether the call was answered. Nothing but the exceptions of the contract is allowed.
   */
  private static boolean inDoubt(Runnable call) {
    try {
      call.run();
      return true;
    } catch (BackendFailure | HoldfastException allowed) {
      return false;
    }
  }
}
