package io.holdfast.tck.client.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.SessionSpec;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.ClientFixture;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.LateCopy;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lost answers, late copies, repeated calls: no lock is ever held by no client. */
@Topic(value = "AMB", level = Level.CORE, clause = "docs/guarantees.md, Lost replies")
public interface AmbiguityRules extends ClientFixture {

  @Test
  @Rule("HF-AMB-01")
  default void aGrabWhoseAnswerWasLostIsOneGrant() {
    TestClient one = client();
    one.faults().next(Verb.GRAB, Fault.answerLost());
    one.faults().next(Verb.GRAB, Fault.callLost());
    one.faults().next(Verb.GRAB, Fault.answerLost());
    Grant grant = one.acquire(NAME, longWait());
    assertThat(grant.isHeld()).as("isHeld() of the grant of %s", grant.name()).isTrue();
    assertThat(one.client().find(NAME).orElseThrow().waiters()).isEmpty();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
    assertThat(client().attempt(NAME)).isPresent();
  }

  @Test
  @Rule("HF-AMB-02")
  default void aDoubledGrabIsOneGrant() {
    TestClient one = client();
    one.faults().next(Verb.GRAB, Fault.doubled());
    assertThat(one.hold(NAME).release()).isEqualTo(ReleaseOutcome.FREED);
    assertThat(client().attempt(NAME)).isPresent();
  }

  @Test
  @Rule(value = "HF-AMB-03", marked = 5)
  default void aGrabThatArrivesAfterItsReleaseIsTakenBack() {
    TestClient one = steadyClient();
    one.hold("another"); // Keeps the session in use.
    LateCopy copy = one.faults().next(Verb.GRAB, new LateCopy());
    one.acquire(NAME, longWait()).release();
    copy.deliver();
    awaitFree();
  }

  @Test
  @Rule(value = "HF-AMB-04", marked = 5)
  default void aGrabThatArrivesAfterItsRefusalIsTakenBack() {
    Grant held = client().hold(NAME);
    TestClient one = steadyClient();
    one.hold("another");
    LateCopy copy = one.faults().next(Verb.GRAB, new LateCopy());
    assertThatThrownBy(() -> one.attempt(NAME)).isInstanceOf(BackendUnreachableException.class);
    awaitWithdrawn(one);
    held.release();
    copy.deliver();
    awaitFree();
  }

  @Test
  @Rule(value = "HF-AMB-05", marked = 5)
  default void aGrabThatArrivesAfterItsWaitWasGivenUpIsTakenBack() {
    Grant held = client().hold(NAME);
    TestClient one = steadyClient();
    one.hold("another");
    LateCopy copy = one.faults().next(Verb.GRAB, new LateCopy());
    one.faults().every(Verb.GRAB, call -> true, Fault.refused());
    assertThatThrownBy(() -> one.acquire(NAME, SHORT_WAIT))
        .isInstanceOf(BackendUnreachableException.class);
    awaitWithdrawn(one);
    copy.deliver(); // It joins the queue of a holder who is just about to leave.
    held.release();
    awaitFree();
  }

  @Test
  @Rule(value = "HF-AMB-06", marked = 1)
  default void anOpeningThatWasNotAnsweredIsNeverRepeated() {
    TestClient one = client();
    LateCopy copy = one.faults().next(Verb.OPEN, new LateCopy());
    one.faults().next(Verb.OPEN, Fault.answerLost());
    Grant grant = one.acquire(NAME, longWait());
    List<SessionId> ids =
        one.sent().stream()
            .filter(sent -> sent.verb() == Verb.OPEN)
            .map(sent -> ((SessionSpec) sent.invocation().arguments().get(0)).id())
            .toList();
    assertThat(ids).hasSizeGreaterThanOrEqualTo(3).doesNotHaveDuplicates();
    grant.release();
    copy.deliver(); // A session that no client renews, and no client asks for anything.
    assertThat(client().attempt(NAME)).isPresent();
  }

  @Test
  @Rule("HF-AMB-07")
  default void aReleaseThatWasNotAnsweredIsRepeatedUntilItSucceeds() {
    TestClient one = client();
    Grant grant = one.hold(NAME);
    one.faults().next(Verb.RELEASE, Fault.callLost());
    one.faults().next(Verb.RELEASE, Fault.refused());
    one.faults().next(Verb.RELEASE, Fault.answerLost());
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.PENDING);
    assertThat(grant.isHeld()).as("isHeld() of the grant of %s", grant.name()).isFalse();
    awaitFree();
  }

  @Test
  @Rule("HF-AMB-08")
  default void aReleaseRepeatedAfterALostAnswerDoesNotTouchTheNextHolder() {
    TestClient one = client();
    Grant grant = one.hold(NAME);
    LateCopy copy = one.faults().next(Verb.RELEASE, new LateCopy());
    grant.release();
    TestClient two = client();
    Grant next = two.acquire(NAME, longWait());
    copy.deliver();
    assertThat(client().attempt(NAME)).isEmpty();
    assertThat(next.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @Test
  @Rule("HF-AMB-09")
  default void anOvertakeWhoseAnswerWasLostStrandsNobody() {
    TestClient dead = client(SHORT_TTL);
    dead.hold(NAME);
    TestClient one = steadyClient();
    one.faults().next(Verb.OVERTAKE, Fault.answerLost());
    dead.faults().always(Fault.callLost());
    assertThat(one.acquire(NAME, longWait()).isHeld()).as("isHeld() of the grant").isTrue();
  }

  @Test
  @Rule("HF-AMB-10")
  default void aGrabThatFailedForGoodHalfwayIsTakenBack() {
    TestClient one = steadyClient();
    one.hold("another"); // Keeps the session in use.
    one.faults().next(Verb.GRAB, Fault.refusedHalfway());
    assertThatThrownBy(() -> one.attempt(NAME))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("Injected");
    awaitFree();
  }

  /** Returns once the client has taken back what it gave up; copies come after that. */
  private void awaitWithdrawn(TestClient client) {
    await().atMost(longWait()).until(() -> client.hasAnswerOf(Verb.RELEASE));
  }

  /** Returns once a client could take the lock. */
  private void awaitFree() {
    TestClient taker = client();
    await().atMost(longWait()).until(() -> taker.attempt(NAME).isPresent());
  }
}
