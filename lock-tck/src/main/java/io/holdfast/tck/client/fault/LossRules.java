package io.holdfast.tck.client.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Health.SessionHealth;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionId;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.ClientFixture;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Losing a lock: the holder stops first, is told, and disturbs no other. */
@Topic(value = "LSS", level = Level.CORE, clause = "docs/guarantees.md, Loss is told")
public interface LossRules extends ClientFixture {

  @Test
  @Rule("HF-LSS-01")
  default void aHolderThatIsCutOffStopsBelievingBeforeAnybodyElseIsGranted() {
    TestClient cutOff = client(SHORT_TTL);
    Grant grant = cutOff.hold(NAME);
    List<LossReason> losses = new CopyOnWriteArrayList<>();
    grant.onLost(losses::add);
    TestClient two = client();
    AtomicBoolean believedBeside = new AtomicBoolean();
    cutOff.faults().always(Fault.callLost());
    Waiting waiting =
        new Waiting(
            () -> {
              Grant next = two.acquire(NAME, longWait());
              believedBeside.set(grant.isHeld());
              return next;
            });
    Grant next = waiting.grant();
    assertThat(believedBeside).as("whether a holder believed beside another").isFalse();
    assertThat(next.token()).isGreaterThan(grant.token());
    await().atMost(longWait()).until(() -> !losses.isEmpty());
    assertThatThrownBy(grant::check).isInstanceOf(LockLostException.class);
    cutOff.faults().heal();
    // Acts of the first one do not matter to the second now.
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.LOST);
    assertThat(next.isHeld()).as("isHeld() of the grant of %s", next.name()).isTrue();
    assertThat(client().attempt(NAME)).isEmpty();
  }

  @Test
  @Rule("HF-LSS-02")
  default void heartbeatsThatFailNowAndThenLoseNothing() {
    TestClient one = steadyClient();
    Grant grant = one.hold(NAME);
    for (int i = 0; i < 4; i++) {
      one.faults().next(Verb.RENEW, Fault.refused());
      one.faults().next(Verb.RENEW, Fault.answerLost());
      long sent = one.count(Verb.RENEW);
      await().atMost(longWait()).until(() -> one.count(Verb.RENEW) >= sent + 3);
    }
    grant.check();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @Test
  @Rule("HF-LSS-03")
  default void jeopardyEndsWithTheSameTokenIfNobodyHasTakenTheLock() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    TestClient one = client(AMPLE_TTL);
    Grant grant = one.hold(NAME);
    one.faults().every(Verb.RENEW, call -> true, Fault.refused());
    await().atMost(longWait()).until(() -> !grant.isHeld());
    one.faults().heal();
    grant.check();
    assertThat(grant.isHeld()).as("isHeld() of the grant of %s", grant.name()).isTrue();
    assertThat(one.client().find(NAME).orElseThrow().token()).contains(grant.token());
  }

  @Test
  @Rule("HF-LSS-04")
  default void aSessionThatWasEndedIsLostAtTheNextHeartbeatAndWaitersGoOnUnderAFreshOne() {
    TestClient one = steadyClient();
    Grant grant = one.hold("another");
    Grant held = client().hold(NAME);
    Waiting waiting = one.waitFor(NAME, longWait());
    TestClient looker = client();
    await()
        .atMost(longWait())
        .until(() -> looker.client().find(NAME).orElseThrow().waiters().size() == 1);
    SessionId session = session(one);
    fixture().connect().end(session, EndIf.CLOSED, StoreFixture.soon());
    await().atMost(longWait()).until(() -> !grant.isHeld());
    assertThatThrownBy(grant::check)
        .isInstanceOfSatisfying(
            LockLostException.class,
            lost -> assertThat(lost.reason()).isEqualTo(LossReason.SESSION_ENDED));
    await().atMost(longWait()).until(() -> one.count(Verb.OPEN) == 2);
    held.release();
    assertThat(waiting.grant().isHeld()).as("isHeld() of the grant").isTrue();
    assertThat(session(one)).isNotEqualTo(session);
  }

  @Test
  @Rule(value = "HF-LSS-05", marked = 14)
  default void aHolderAndTheNextInLineThatDieTogetherStrandNobody() {
    TestClient first = client(AMPLE_TTL);
    TestClient second = client(AMPLE_TTL);
    TestClient third = steadyClient();
    first.hold(NAME);
    second.waitFor(NAME, longWait());
    await()
        .atMost(longWait())
        .until(() -> third.client().find(NAME).orElseThrow().waiters().size() == 1);
    first.faults().always(Fault.callLost());
    second.faults().always(Fault.callLost());
    assertThat(third.acquire(NAME, longWait()).isHeld()).as("isHeld() of the grant").isTrue();
  }

  @Test
  @Rule(value = "HF-LSS-06", marked = 6)
  default void aRevokedHolderThatChecksStopsAndTheLockPassesOnWhenItGivesBack() {
    TestClient one = steadyClient();
    Grant grant = one.hold(NAME);
    Grant unaffected = one.hold("another");
    List<LossReason> losses = new CopyOnWriteArrayList<>();
    grant.onLost(losses::add);
    TestClient operator = client();
    AtomicBoolean believedBeside = new AtomicBoolean();
    Waiting next =
        new Waiting(
            () -> {
              Grant taken = operator.acquire(NAME, longWait());
              believedBeside.set(grant.isHeld());
              return taken;
            });
    await()
        .atMost(longWait())
        .until(() -> operator.client().find(NAME).orElseThrow().waiters().size() == 1);
    assertThat(
            operator.client().revoke(operator.client().find(NAME).orElseThrow(), RevokeWhen.SAFELY))
        .isInstanceOf(Revocation.Marked.class);
    await().atMost(longWait()).until(() -> !grant.isHeld());
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.LOST);
    assertThat(next.grant().token()).isGreaterThan(grant.token());
    assertThat(believedBeside).as("whether a holder believed beside another").isFalse();
    await().atMost(longWait()).until(() -> losses.contains(LossReason.REVOKED));
    unaffected.check();
    await().atMost(longWait()).until(() -> one.count(Verb.ACKNOWLEDGE) >= 1);
  }

  @Test
  @Rule("HF-LSS-07")
  default void revokingWhatHasChangedMeanwhileDoesNothing() {
    TestClient one = client();
    Grant first = one.hold(NAME);
    TestClient operator = client();
    var seen = operator.client().find(NAME).orElseThrow();
    first.release();
    Grant second = one.hold(NAME);
    assertThat(operator.client().revoke(seen, RevokeWhen.NOW))
        .isInstanceOf(Revocation.Changed.class);
    assertThat(operator.attempt(NAME)).isEmpty();
    assertThat(second.isHeld()).as("isHeld() of the grant of %s", second.name()).isTrue();
  }

  @Test
  @Rule("HF-LSS-08")
  default void aBodyIsInterruptedWhenItsLockIsLost() {
    TestClient one = steadyClient();
    LockBackend other = fixture().connect();
    AtomicBoolean interrupted = new AtomicBoolean();
    assertThatThrownBy(
            () ->
                one.client()
                    .lock(NAME)
                    .run(
                        Duration.ZERO,
                        grant -> {
                          other.end(session(one), EndIf.CLOSED, StoreFixture.soon());
                          try {
                            Thread.sleep(longWait().toMillis());
                          } catch (InterruptedException expected) {
                            interrupted.set(true);
                          }
                        }))
        .isInstanceOf(LockLostException.class);
    assertThat(interrupted).as("whether the body was interrupted").isTrue();
    assertThat(Thread.currentThread().isInterrupted())
        .as("whether the caller is interrupted after run")
        .isFalse();
  }

  private SessionId session(TestClient client) {
    return client.client().health().sessions().stream()
        .map(SessionHealth::id)
        .findFirst()
        .orElseThrow();
  }
}
