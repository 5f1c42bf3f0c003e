package io.holdfast.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionState;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Locks that stay with their client when they are given back. */
@Topic(value = "CAC", level = Level.CORE, clause = "AcquireOptions.cached")
public interface CachedRules extends ClientFixture {

  /** Locks given back of which one at least is kept, where any is. */
  int TAKES_MAX = 3;

  private Grant take(TestClient client) {
    return client.client().lock(NAME).acquire(AcquireOptions.within(longWait()).cached());
  }

  /** Takes the lock and gives it back, so that it is kept. */
  private Grant takeAndKeep(TestClient client) {
    Grant grant = take(client);
    ReleaseOutcome outcome = grant.release();
    // A client does not keep a grant that it has not renewed for a while, as when it stood still.
    for (int tries = 1; outcome == ReleaseOutcome.FREED && tries < TAKES_MAX; tries++) {
      grant = take(client);
      outcome = grant.release();
    }
    NotApplicableException.unless(
        outcome != ReleaseOutcome.FREED, "This store does not tell whether others wait.");
    assertThat(outcome).isEqualTo(ReleaseOutcome.KEPT);
    return grant;
  }

  @Test
  @Rule("HF-CAC-01")
  default void aLockThatIsKeptIsTakenAgainWithoutACallToTheStore() {
    TestClient one = client();
    Grant last = takeAndKeep(one);
    for (int i = 0; i < 20; i++) {
      Grant next = take(one);
      assertThat(next.token()).isGreaterThan(last.token());
      assertThat(next.release()).isEqualTo(ReleaseOutcome.KEPT);
      last = next;
    }
    assertThat(one.count(Verb.GRAB)).isEqualTo(1);
    assertThat(one.count(Verb.RELEASE)).isZero();
    assertThat(client().attempt(NAME)).as("what another client gets meanwhile").isEmpty();
  }

  @Test
  @Rule("HF-CAC-02")
  default void aLockThatIsKeptGoesToAnotherClientThatWaits() {
    TestClient one = steadyClient();
    Grant first = takeAndKeep(one);
    TestClient other = client();
    Grant theirs = other.acquire(NAME, longWait());
    assertThat(theirs.token()).isGreaterThan(first.token());
    assertThat(one.attempt(NAME)).isEmpty();
    theirs.release();
    assertThat(take(one).token()).isGreaterThan(theirs.token());
  }

  @Test
  @Rule("HF-CAC-03")
  default void aLockInUseForWhichAnotherClientWaitsIsNotKept() {
    TestClient one = steadyClient();
    takeAndKeep(one);
    Grant used = take(one);
    TestClient other = client();
    TestClient.Waiting waiting = other.waitFor(NAME, longWait());
    await()
        .atMost(longWait())
        .until(() -> other.client().find(NAME).orElseThrow().waiters().size() == 1);
    long looks = one.answers(Verb.LOOK);
    await().atMost(longWait()).until(() -> one.answers(Verb.LOOK) >= looks + 2);
    assertThat(used.release()).isEqualTo(ReleaseOutcome.HANDED_ON);
    assertThat(waiting.grant().token()).isGreaterThan(used.token());
  }

  @Test
  @Rule("HF-CAC-04")
  default void whatIsKeptInJeopardyGoesBackAlthoughARenewalSavesTheSession() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    TestClient one = client(AMPLE_TTL);
    takeAndKeep(one);
    one.faults().every(Verb.RENEW, call -> true, Fault.refused());
    await().atMost(longWait()).until(() -> state(one) == SessionState.JEOPARDY);
    one.faults().heal();
    await().atMost(longWait()).until(() -> state(one) == SessionState.SAFE);
    TestClient other = client();
    await().atMost(longWait()).until(() -> other.attempt(NAME).isPresent());
  }

  private static SessionState state(TestClient client) {
    return client.client().health().sessions().get(0).state();
  }

  @Test
  @Rule(value = "HF-CAC-05", marked = 13)
  default void aNumberWhoseReleaseWasSentIsNotTakenAgain() {
    TestClient one = steadyClient();
    Grant first = takeAndKeep(one);
    one.faults().every(Verb.RELEASE, call -> true, Fault.answerLost());
    TestClient other = client();
    Grant theirs = other.acquire(NAME, longWait());
    theirs.release();
    one.faults().heal();
    assertThat(take(one).token()).isGreaterThan(theirs.token()).isGreaterThan(first.token());
  }

  @Test
  @Rule("HF-CAC-06")
  default void whatIsKeptGoesBackWhenItIsRevoked() {
    TestClient one = steadyClient();
    TestClient other = client();
    // A client that stands still in between has given back what it kept.
    LockRecord kept =
        await()
            .atMost(longWait())
            .pollInSameThread()
            .pollDelay(Duration.ZERO)
            .until(
                () -> {
                  takeAndKeep(one);
                  return other.client().find(NAME).filter(LockRecord::isHeld);
                },
                Optional::isPresent)
            .orElseThrow();
    other.client().revoke(kept, RevokeWhen.SAFELY);
    Grant theirs = other.acquire(NAME, longWait());
    theirs.release();
    assertThat(take(one).isHeld()).as("isHeld() of a grant after a revoked one").isTrue();
  }

  @Test
  @Rule("HF-CAC-07")
  default void closingGivesBackWhatIsKept() {
    TestClient one = client();
    takeAndKeep(one);
    one.client().close();
    assertThat(client().attempt(NAME)).isPresent();
  }
}
