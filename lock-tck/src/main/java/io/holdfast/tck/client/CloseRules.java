package io.holdfast.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.ClientClosedException;
import io.holdfast.Grant;
import io.holdfast.LockRecord;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Fault;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Closing a client. */
public interface CloseRules extends ClientFixture {

  @Test
  default void closingFreesEverythingAtOnce() {
    TestClient one = client();
    Grant a = one.hold("a");
    one.hold("b");
    TestClient two = client();
    one.client().close();
    assertThat(a.isHeld()).isFalse();
    // At once: the leases of the first client would have run for many seconds.
    assertThat(two.attempt("a")).isPresent();
    assertThat(two.attempt("b")).isPresent();
    assertThatThrownBy(() -> one.attempt("a")).isInstanceOf(ClientClosedException.class);
  }

  @Test
  default void closingEndsWaitsAndTakesThemOutOfTheQueue() {
    TestClient holder = client();
    Grant held = holder.hold(NAME);
    TestClient one = client();
    Waiting waiting = one.waitFor(NAME, longWait());
    await()
        .atMost(longWait())
        .until(() -> holder.client().find(NAME).orElseThrow().waiters().size() == 1);
    one.client().close();
    assertThatThrownBy(waiting::grant).hasCauseInstanceOf(ClientClosedException.class);
    assertThat(holder.client().find(NAME).orElseThrow().waiters()).isEmpty();
    held.release();
    assertThat(holder.client().list("")).extracting(LockRecord::name).isEmpty();
  }

  @Test
  default void closingReturnsAlsoIfTheStoreDoesNotAnswer() {
    TestClient one = client();
    Grant grant = one.hold(NAME);
    one.faults().always(Fault.callLost());
    one.client().close();
    assertThat(grant.isHeld()).isFalse();
  }

  @Test
  default void noThreadIsLeftAfterClosing() {
    Set<Thread> before = threads();
    TestClient one = client(SHORT_TTL);
    one.hold(NAME);
    one.client().close();
    await().atMost(longWait()).untilAsserted(() -> assertThat(threads()).isSubsetOf(before));
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("holdfast-"))
        .collect(Collectors.toSet());
  }
}
