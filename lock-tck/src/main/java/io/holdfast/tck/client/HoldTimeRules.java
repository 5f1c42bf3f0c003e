package io.holdfast.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** How long a lock is held at most. */
@Topic(value = "HTM", level = Level.CORE, clause = "AcquireOptions.atMost")
public interface HoldTimeRules extends ClientFixture {

  @Test
  @Rule("HF-HTM-01")
  default void aGrantIsLostAndItsLockPassesOnWhenItsTimeIsOver() {
    TestClient one = client();
    AcquireOptions options = AcquireOptions.within(longWait()).atMost(Duration.ofSeconds(1));
    Grant grant = one.client().lock(NAME).acquire(options);
    List<LossReason> losses = new CopyOnWriteArrayList<>();
    grant.onLost(losses::add);
    Grant next = client().acquire(NAME, longWait());
    assertThat(grant.isHeld()).as("isHeld() when another client has the lock").isFalse();
    assertThat(next.token()).isGreaterThan(grant.token());
    await().atMost(longWait()).until(() -> !losses.isEmpty());
    assertThat(losses).containsExactly(LossReason.AT_MOST_REACHED);
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.LOST);
    assertThat(next.isHeld()).as("isHeld() of the grant of %s", next.name()).isTrue();
  }

  @Test
  @Rule("HF-HTM-02")
  default void aGrantThatIsExtendedIsHeldForLonger() {
    TestClient one = client();
    AcquireOptions options = AcquireOptions.within(longWait()).atMost(longWait());
    Grant grant = one.client().lock(NAME).acquire(options);
    extendForNext(grant);
    await().atMost(longWait()).until(() -> !grant.isHeld());
    assertThatThrownBy(() -> grant.extend(longWait())).isInstanceOf(LockLostException.class);

    Grant another = one.client().lock("another").acquire(options);
    another.extend(longWait().multipliedBy(2));
    assertThat(another.isHeld()).isTrue();
    assertThat(another.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  /** Lets the grant end with the next millisecond, which may be over before this returns. */
  private static void extendForNext(Grant grant) {
    try {
      grant.extend(Duration.ofMillis(1));
    } catch (LockLostException e) {
      assertThat(grant.isHeld()).as("isHeld() of what is said to be lost").isFalse();
    }
  }
}
