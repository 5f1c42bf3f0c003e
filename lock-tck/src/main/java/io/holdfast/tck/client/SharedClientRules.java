package io.holdfast.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RevokeWhen;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import org.junit.jupiter.api.Test;

/** Readers and writers, as applications see them. */
@Topic(value = "SHC", level = Level.CORE, clause = "AcquireOptions.shared")
public interface SharedClientRules extends ClientFixture {

  private void requireSharedMode() {
    NotApplicableException.unless(
        fixture().capabilities().modes().contains(LockMode.SHARED),
        "Locks of this store are exclusive.");
  }

  private Grant share(TestClient client) {
    Grant grant = client.client().lock(NAME).acquire(AcquireOptions.within(longWait()).shared());
    grant.handOver(); // Each grant is one of another thread.
    return grant;
  }

  private static boolean mayShare(TestClient client) {
    return client
        .client()
        .lock(NAME)
        .tryAcquire(AcquireOptions.once().shared())
        .map(Grant::release)
        .isPresent();
  }

  private void awaitWaiters(TestClient client, int count) {
    await()
        .atMost(longWait())
        .until(() -> client.client().find(NAME).orElseThrow().waiters().size() == count);
  }

  @Test
  @Rule(value = "HF-SHC-01", marked = 16)
  default void readersHoldTogetherAndAWriterWaitsForAllOfThem() {
    requireSharedMode();
    TestClient one = client();
    TestClient other = client();
    TestClient writer = client();
    Grant first = share(one);
    Grant second = share(other);
    Waiting waits = writer.waitFor(NAME, longWait());
    awaitWaiters(writer, 1);

    assertThat(mayShare(client())).as("whether a reader passes a writer that waits").isFalse();
    assertThat(first.release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(second.isHeld()).isTrue();
    assertThat(second.release()).isEqualTo(ReleaseOutcome.HANDED_ON);

    Grant exclusive = waits.grant();
    assertThat(exclusive.token()).isGreaterThan(first.token()).isGreaterThan(second.token());
    assertThat(mayShare(one)).isFalse();
    exclusive.release();
    assertThat(share(one).token()).isGreaterThan(exclusive.token());
  }

  @Test
  @Rule("HF-SHC-02")
  default void threadsOfOneClientRideOnOneRequest() {
    requireSharedMode();
    TestClient one = client();
    Grant first = share(one);
    long grabs = one.count(Verb.GRAB);

    Grant second = share(one);

    assertThat(one.count(Verb.GRAB)).isEqualTo(grabs);
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(first.release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(client().attempt(NAME)).isEmpty();
    assertThat(second.release()).isEqualTo(ReleaseOutcome.FREED);
    assertThat(client().attempt(NAME)).isPresent();
  }

  /**
   * Readers of different clients hold together, for any reasons that they give; so do those of one.
   */
  @Test
  @Rule("HF-SHC-10")
  default void threadsOfOneClientReadTogetherOnDifferentTerms() {
    requireSharedMode();
    TestClient one = client();
    Grant first = share(one);

    Grant second =
        one.client()
            .lock(NAME)
            .tryAcquire(AcquireOptions.once().shared().why("another reason"))
            .orElseThrow(() -> new AssertionError("A reader excludes one of its own client."));
    second.handOver();

    assertThat(first.isHeld()).isTrue();
    assertThat(client().attempt(NAME)).as("a writer beside two readers").isEmpty();
    assertThat(first.release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(second.isHeld()).isTrue();
    assertThat(client().attempt(NAME)).as("a writer beside a reader").isEmpty();
    assertThat(second.release()).isEqualTo(ReleaseOutcome.FREED);
    assertThat(client().attempt(NAME)).isPresent();
  }

  @Test
  @Rule("HF-SHC-03")
  default void noThreadGetsOnOnceItsClientKnowsThatAWriterWaits() {
    requireSharedMode();
    TestClient one = steadyClient();
    Grant first = share(one);
    TestClient writer = client();
    Waiting waits = writer.waitFor(NAME, longWait());
    awaitWaiters(writer, 1);
    await().atMost(longWait()).until(() -> !mayShare(one));

    assertThat(first.release()).isEqualTo(ReleaseOutcome.HANDED_ON);

    waits.grant().release();
  }

  @Test
  @Rule(value = "HF-SHC-04", marked = 17)
  default void aDowngradeLetsReadersInAndNoWriterInBetween() {
    requireSharedMode();
    TestClient one = steadyClient();
    Grant grant = one.acquire(NAME, longWait());
    FencingToken exclusive = grant.token();
    TestClient writer = client();
    Waiting waits = writer.waitFor(NAME, longWait());
    awaitWaiters(writer, 1);

    grant.downgrade();

    assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
    assertThat(grant.isHeld()).isTrue();
    assertThat(grant.token()).isGreaterThanOrEqualTo(exclusive);
    assertThat(client().client().find(NAME).orElseThrow().waiters()).hasSize(1);
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.HANDED_ON);
    assertThat(waits.grant().token()).isGreaterThan(grant.token());
  }

  /** A copy that was not answered may have let readers in. */
  @Test
  @Rule(value = "HF-SHC-05", marked = 17)
  default void aDowngradeThatWasNotAnsweredIsRepeated() {
    requireSharedMode();
    TestClient one = client();
    Grant grant = one.acquire(NAME, longWait());
    FencingToken exclusive = grant.token();
    one.faults().next(Verb.DOWNGRADE, Fault.answerLost());

    assertThatThrownBy(grant::downgrade).isInstanceOf(BackendUnreachableException.class);

    assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
    long answered = one.answers(Verb.DOWNGRADE);
    await().atMost(longWait()).until(() -> one.answers(Verb.DOWNGRADE) > answered);
    Grant reader = share(client());
    assertThat(reader.token()).isGreaterThan(exclusive);
    assertThat(grant.isHeld()).isTrue();
  }

  @Test
  @Rule("HF-SHC-06")
  default void oneOfSeveralReadersIsRevoked() {
    requireSharedMode();
    TestClient one = steadyClient();
    TestClient other = steadyClient();
    Grant stays = share(one);
    Grant goes = share(other);
    TestClient operator = client();
    LockRecord seen = operator.client().find(NAME).orElseThrow();
    Holder holder = seen.holders().get(1);

    operator.client().revoke(seen, holder, RevokeWhen.SAFELY);

    await().atMost(longWait()).until(() -> !goes.isHeld());
    assertThat(goes.release()).isEqualTo(ReleaseOutcome.LOST);
    await()
        .atMost(longWait())
        .until(() -> operator.client().find(NAME).orElseThrow().holders().size() == 1);
    assertThat(stays.isHeld()).isTrue();
  }

  private static int holders(TestClient client) {
    return client.client().find(NAME).orElseThrow().holders().size();
  }

  @Test
  @Rule("HF-SHC-07")
  default void aReaderThatDiesIsRemovedAndTheOtherOneHoldsOn() {
    requireSharedMode();
    TestClient dies = client(SHORT_TTL);
    TestClient lives = steadyClient();
    Grant ofDead = share(dies);
    Grant ofLiving = share(lives);
    TestClient writer = client();
    Waiting waits = writer.waitFor(NAME, longWait());
    awaitWaiters(writer, 1);

    dies.faults().always(Fault.callLost());

    await().atMost(longWait()).until(() -> holders(lives) == 1);
    assertThat(ofDead.isHeld()).isFalse();
    assertThat(ofLiving.isHeld()).isTrue();
    assertThat(waits.result()).isNotDone();
    assertThat(ofLiving.release()).isEqualTo(ReleaseOutcome.HANDED_ON);
    assertThat(waits.grant().token()).isGreaterThan(ofDead.token()).isGreaterThan(ofLiving.token());
  }

  @Test
  @Rule("HF-SHC-08")
  default void aWriterFollowsReadersThatHaveAllDied() {
    requireSharedMode();
    TestClient one = client(SHORT_TTL);
    TestClient other = client(SHORT_TTL);
    Grant first = share(one);
    Grant second = share(other);
    TestClient writer = client();
    Waiting waits = writer.waitFor(NAME, longWait());
    // If the readers' leases have run out by then, it does not wait for long.
    await()
        .atMost(longWait())
        .until(
            () ->
                waits.result().isDone()
                    || writer.client().find(NAME).orElseThrow().waiters().size() == 1);

    one.faults().always(Fault.callLost());
    other.faults().always(Fault.callLost());

    assertThat(waits.grant().token()).isGreaterThan(first.token()).isGreaterThan(second.token());
    assertThat(first.isHeld()).isFalse();
    assertThat(second.isHeld()).isFalse();
  }

  @Test
  @Rule("HF-SHC-09")
  default void readersBehindAWriterThatDiedHoldTogether() {
    requireSharedMode();
    TestClient dies = client(SHORT_TTL);
    Grant ofDead = dies.acquire(NAME, longWait());
    TestClient one = client();
    TestClient other = client();
    Waiting first = new Waiting(() -> share(one));
    Waiting second = new Waiting(() -> share(other));
    awaitWaiters(one, 2);

    dies.faults().always(Fault.callLost());

    assertThat(first.grant().token()).isGreaterThan(ofDead.token());
    assertThat(second.grant().token()).isGreaterThan(ofDead.token());
    assertThat(ofDead.isHeld()).isFalse();
    assertThat(first.grant().isHeld()).isTrue();
    assertThat(second.grant().isHeld()).isTrue();
  }

  /** No other request stands behind that one, which would find out that it is dead. */
  @Test
  @Rule("HF-SHC-11")
  default void readersOfOneClientGetOnBehindAWriterThatDiedWaiting() {
    requireSharedMode();
    TestClient one = steadyClient();
    Grant first = share(one);
    aWriterDiesWaiting(one);

    Grant second = share(one);

    assertThat(first.isHeld()).isTrue();
    assertThat(second.isHeld()).isTrue();
  }

  @Test
  @Rule("HF-SHC-12")
  default void oneAttemptOfAReaderGetsOnBehindAWriterThatDiedWaiting() {
    requireSharedMode();
    TestClient one = steadyClient();
    Grant first = share(one);
    aWriterDiesWaiting(one);
    TestClient other = client();

    await("a reader of another client to get on").atMost(longWait()).until(() -> mayShare(other));
    assertThat(first.isHeld()).isTrue();
  }

  private void aWriterDiesWaiting(TestClient witness) {
    TestClient dies = client(SHORT_TTL);
    dies.waitFor(NAME, longWait());
    awaitWaiters(witness, 1);
    dies.faults().always(Fault.callLost());
  }
}
