package io.holdfast.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.record.RevokeWhen;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.view.LockView;
import io.holdfast.view.ReadWriteLockView;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Locks as {@code java.util.concurrent.locks} has them. */
@Topic(value = "VIE", level = Level.CORE, clause = "LockView and ReadWriteLockView")
@SuppressWarnings("LockNotBeforeTry") // A rule is about the locks that it leaves.
public interface ViewRules extends ClientFixture {

  private LockView view(TestClient client) {
    return client.client().lock(NAME).asLock();
  }

  private ReadWriteLockView both(TestClient client) {
    NotApplicableException.unless(
        fixture().capabilities().modes().contains(LockMode.SHARED),
        "Locks of this store are exclusive.");
    return client.client().readWriteLock(NAME);
  }

  private boolean triesForLong(LockView view) throws InterruptedException {
    return view.tryLock(longWait().toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void assertLost(ThrowingCallable unlock, LossReason reason) {
    assertThatThrownBy(unlock)
        .as("what an unlock says of a lock that was lost")
        .isInstanceOf(IllegalMonitorStateException.class)
        .cause()
        .isInstanceOfSatisfying(
            LockLostException.class, lost -> assertThat(lost.reason()).isEqualTo(reason));
  }

  /** Known failure 35 of other libraries. */
  @Test
  @Rule("HF-VIE-01")
  default void reentryMakesNoCallAndKeepsTheGrantAndItsToken() throws InterruptedException {
    TestClient one = client();
    TestClient other = client();
    LockView view = view(one);
    assertThat(triesForLong(view)).as("whether a free lock is had").isTrue();
    Grant grant = view.grant().orElseThrow();
    FencingToken token = grant.token();
    long calls = grabsAndReleases(one);

    view.lock();
    assertThat(view.tryLock()).isTrue();
    view(one).lockInterruptibly();
    assertThat(view.grant()).containsSame(grant);
    assertThat(grant.token()).isEqualTo(token);
    for (int holds = 4; holds > 1; holds--) {
      assertThat(view.holdCount()).isEqualTo(holds);
      view.unlock();
    }
    assertThat(grabsAndReleases(one)).as("calls of locks and unlocks inside").isEqualTo(calls);
    assertThat(other.attempt(NAME)).isEmpty();

    view.unlock();
    assertThat(other.attempt(NAME)).isPresent();
  }

  private static long grabsAndReleases(TestClient client) {
    return client.sent().stream()
        .filter(
            sent ->
                switch (sent.verb()) {
                  case GRAB, RELEASE, DOWNGRADE -> true;
                  default -> false;
                })
        .count();
  }

  /** Known failure 36 of other libraries. */
  @Test
  @Rule("HF-VIE-02")
  default void aLockThatWasLostIsNotReenteredAndEveryUnlockSaysSo() {
    TestClient one = steadyClient();
    LockView view = view(one);
    view.lock();
    view.lock();
    Grant grant = view.grant().orElseThrow();
    FencingToken token = grant.token();
    TestClient operator = client();
    operator.client().revoke(operator.client().find(NAME).orElseThrow(), RevokeWhen.SAFELY);

    await().atMost(longWait()).until(() -> grant.remaining().isZero());

    assertThat(view.isHeldByCurrentThread()).as("whether it is held after the loss").isFalse();
    assertThatThrownBy(view::lock).isInstanceOf(LockLostException.class);
    assertLost(view::unlock, LossReason.REVOKED);
    assertLost(view::unlock, LossReason.REVOKED);
    assertThat(view.holdCount()).isZero();
    view.lock();
    assertThat(view.grant().orElseThrow().token()).isGreaterThan(token);
    view.unlock();
  }

  @Test
  @Rule("HF-VIE-03")
  default void aStrangerUnlocksNothing() {
    TestClient one = client();
    LockView view = view(one);
    view.lock();

    Waiting stranger =
        new Waiting(
            () -> {
              view.unlock();
              return view.grant().orElseThrow();
            });

    assertThatThrownBy(stranger::grant)
        .cause()
        .isInstanceOf(IllegalMonitorStateException.class)
        .hasNoCause();
    assertThatThrownBy(view(client())::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(view.isHeldByCurrentThread()).as("whether it is held").isTrue();
    view.unlock();
  }

  @Test
  @Rule("HF-VIE-04")
  default void readersShareAndExcludeWriters() throws InterruptedException {
    ReadWriteLockView one = both(client());
    ReadWriteLockView other = both(client());
    assertThat(triesForLong(one.readLock())).isTrue();
    assertThat(triesForLong(other.readLock())).isTrue();
    ReadWriteLockView writer = both(client());

    assertThat(writer.writeLock().tryLock()).as("whether one writes beside readers").isFalse();
    one.readLock().unlock();
    other.readLock().unlock();

    assertThat(triesForLong(writer.writeLock())).isTrue();
    assertThat(one.readLock().tryLock()).as("whether one reads beside a writer").isFalse();
    writer.writeLock().unlock();
  }

  @Test
  @Rule("HF-VIE-05")
  default void aWriterThatGoesOnReadingLetsReadersInAndNoWriterAndItsTokenDoesNotFall()
      throws InterruptedException {
    TestClient client = client();
    ReadWriteLockView one = both(client);
    one.writeLock().lock();
    Grant grant = one.writeLock().grant().orElseThrow();
    FencingToken exclusive = grant.token();
    long calls = grabsAndReleases(client);
    one.readLock().lock();
    assertThat(grabsAndReleases(client)).as("calls to read what one writes").isEqualTo(calls);

    one.writeLock().unlock();

    assertThat(one.readLock().grant()).containsSame(grant);
    assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
    assertThat(grant.token()).isGreaterThanOrEqualTo(exclusive);
    ReadWriteLockView reader = both(client());
    assertThat(triesForLong(reader.readLock())).as("whether another reads beside it").isTrue();
    assertThat(reader.readLock().grant().orElseThrow().token()).isGreaterThan(exclusive);
    ReadWriteLockView writer = both(client());
    assertThat(writer.writeLock().tryLock()).as("whether another writes").isFalse();
    one.readLock().unlock();
    reader.readLock().unlock();
    assertThat(triesForLong(writer.writeLock())).isTrue();
    writer.writeLock().unlock();
  }

  @Test
  @Rule("HF-VIE-06")
  default void aReaderThatAsksToWriteIsToldInsteadOfWaitingForItself() {
    ReadWriteLockView one = both(client());
    one.readLock().lock();

    assertThat(one.writeLock().tryLock()).isFalse();
    assertThatThrownBy(one.writeLock()::lock).isInstanceOf(AlreadyHeldException.class);
    assertThatThrownBy(() -> triesForLong(one.writeLock()))
        .isInstanceOf(AlreadyHeldException.class);

    assertThat(one.readLock().isHeldByCurrentThread()).isTrue();
    one.readLock().unlock();
    one.writeLock().lock();
    one.writeLock().unlock();
  }
}
