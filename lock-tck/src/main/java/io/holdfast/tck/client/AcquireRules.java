package io.holdfast.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Payload;
import io.holdfast.ReleaseOutcome;
import io.holdfast.Sequencer;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Acquiring, waiting, giving up, giving back. */
@Topic(value = "ACQ", level = Level.CORE, clause = "DistributedLock.acquire and Grant.release")
public interface AcquireRules extends ClientFixture {

  @Test
  @Rule("HF-ACQ-01")
  default void aFreeLockIsGrantedWithATokenAndIsFreeAfterwards() {
    TestClient one = client();
    TestClient two = client();
    Grant grant = one.hold(NAME);
    assertThat(grant.isHeld()).as("isHeld() of the grant of %s", grant.name()).isTrue();
    assertThat(grant.remaining()).isPositive();
    assertThat(Sequencer.parse(grant.sequencer().toString())).isEqualTo(grant.sequencer());
    assertThat(two.attempt(NAME)).isEmpty();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
    assertThat(grant.isHeld()).as("isHeld() of the grant of %s", grant.name()).isFalse();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
    Grant next = two.hold(NAME);
    assertThat(next.token()).isGreaterThan(grant.token());
  }

  @Test
  @Rule("HF-ACQ-02")
  default void aZeroWaitIsOneAttemptThatSaysWhoHolds() {
    TestClient one = client();
    one.client()
        .lock(NAME)
        .acquire(AcquireOptions.once().why("stocktaking").payload(Payload.ofText("10.0.0.7")));
    TestClient two = client();
    assertThatThrownBy(() -> two.acquire(NAME, Duration.ZERO))
        .isInstanceOf(LockTimeoutException.class)
        .hasMessageContaining(NAME)
        .hasMessageContaining("stocktaking");
    Holder holder = two.client().find(NAME).flatMap(LockRecord::holder).orElseThrow();
    assertThat(holder.payload().text()).isEqualTo("10.0.0.7");
    assertThat(two.client().list("orders/")).extracting(LockRecord::name).containsExactly(LOCK);
  }

  @Test
  @Rule("HF-ACQ-03")
  default void aWaitEndsWhenItsTimeIsUpAndLeavesNothingInTheQueue() {
    Grant held = client().hold(NAME);
    TestClient two = client();
    await()
        .atMost(longWait())
        // A store that stands still has not said by then who holds.
        .ignoreExceptionsInstanceOf(BackendUnreachableException.class)
        .until(() -> timesOut(two, Duration.ofMillis(300)));
    awaitNoWaiters(two);
    assertThat(held.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  private static boolean timesOut(TestClient client, Duration wait) {
    long start = System.nanoTime();
    Throwable thrown = catchThrowable(() -> client.acquire(NAME, wait));
    if (thrown instanceof BackendUnreachableException unanswered) {
      throw unanswered;
    }
    assertThat(thrown).isInstanceOf(LockTimeoutException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(wait.minusMillis(10));
    return true;
  }

  @Test
  @Rule("HF-ACQ-04")
  default void aWaitWithoutEndEndsWithTheLock() {
    Grant held = client().hold(NAME);
    TestClient two = client();
    Waiting waiting = new Waiting(() -> two.client().lock(NAME).acquire());
    awaitWaiters(two, 1);
    assertThat(held.release()).isEqualTo(ReleaseOutcome.HANDED_ON);
    assertThat(waiting.grant().token()).isGreaterThan(held.token());
  }

  @Test
  @Rule("HF-ACQ-05")
  @Proves(Claim.FIFO)
  default void waitersOfDifferentClientsAreServedInTheirOrder() {
    fixture().requireOrder(Order.FIFO);
    Grant held = client().hold(NAME);
    TestClient looker = client();
    List<Waiting> line = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      line.add(client().waitFor(NAME, longWait()));
      awaitWaiters(looker, i + 1);
    }
    Grant last = held;
    for (int i = 0; i < line.size(); i++) {
      last.release();
      Grant next = line.get(i).grant();
      assertThat(next.token()).isGreaterThan(last.token());
      assertThat(line.subList(i + 1, line.size())).noneMatch(later -> later.result().isDone());
      last = next;
    }
    assertThat(last.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @Test
  @Rule("HF-ACQ-06")
  default void anInterruptedWaitThrowsAtOnceAndHoldsNothing() {
    Grant held = client().hold(NAME);
    TestClient two = client();
    Waiting waiting = two.waitFor(NAME, longWait());
    awaitWaiters(two, 1);
    waiting.interrupt();
    assertThatThrownBy(waiting::grant).hasCauseInstanceOf(LockInterruptedException.class);
    awaitNoWaiters(two);
    assertThat(held.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @Test
  @Rule("HF-ACQ-07")
  default void aThreadThatIsInterruptedAlreadyAsksForNothing() {
    TestClient one = client();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> one.attempt(NAME)).isInstanceOf(LockInterruptedException.class);
    assertThat(Thread.interrupted()).as("whether the thread is still interrupted").isTrue();
    assertThat(one.sent()).isEmpty();
  }

  @Test
  @Rule("HF-ACQ-12")
  default void anUninterruptibleWaitGoesOnAndLeavesTheInterruptPending() {
    Grant held = client().hold(NAME);
    TestClient two = client();
    AtomicBoolean wasPending = new AtomicBoolean();
    Waiting waiting =
        new Waiting(
            () -> {
              Grant grant =
                  two.client()
                      .lock(NAME)
                      .acquire(AcquireOptions.within(longWait()).uninterruptibly());
              wasPending.set(Thread.interrupted());
              return grant;
            });
    awaitWaiters(two, 1);
    waiting.interrupt();
    assertThat(held.release()).isEqualTo(ReleaseOutcome.HANDED_ON);
    assertThat(waiting.grant().isHeld()).as("isHeld() of the grant of %s", NAME).isTrue();
    assertThat(wasPending).as("whether the interrupt was pending after the wait").isTrue();
  }

  @Test
  @Rule("HF-ACQ-13")
  default void anUninterruptibleAttemptIsMadeAlthoughTheThreadIsInterrupted() {
    TestClient one = client();
    Thread.currentThread().interrupt();
    Optional<Grant> grant =
        one.client().lock(NAME).tryAcquire(AcquireOptions.once().uninterruptibly());
    assertThat(Thread.interrupted()).as("whether the thread is still interrupted").isTrue();
    assertThat(grant).isPresent();
  }

  @Test
  @Rule("HF-ACQ-08")
  default void aThreadThatIsInterruptedCanStillGiveBack() {
    Grant grant = client().hold(NAME);
    Thread.currentThread().interrupt();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
    assertThat(Thread.interrupted()).as("whether the thread is still interrupted").isTrue();
  }

  @Test
  @Rule("HF-ACQ-09")
  default void aGrantMayBeGivenBackByAnotherThread() {
    TestClient one = client();
    Grant grant = one.waitFor(NAME, Duration.ZERO).grant();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
    assertThat(one.attempt(NAME)).isPresent();
  }

  @Test
  @Rule("HF-ACQ-10")
  default void whatMakesNoSenseIsRefusedBeforeAnythingIsSent() {
    TestClient one = client();
    assertThatThrownBy(() -> one.client().lock("")).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> one.client().lock("x".repeat(513)))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> one.client().list("\ud800")).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> one.acquire(NAME, Duration.ofSeconds(-1)))
        .isInstanceOf(BadRequestException.class);
    assertThat(one.sent()).isEmpty();
  }

  @Test
  @Rule("HF-ACQ-11")
  default void aBodyRunsWhileTheLockIsHeldAndItsResultOrExceptionComesOut() {
    TestClient one = client();
    TestClient two = client();
    one.client().lock(NAME).run(longWait(), grant -> assertThat(two.attempt(NAME)).isEmpty());
    assertThatThrownBy(
            () ->
                one.client()
                    .lock(NAME)
                    .run(
                        longWait(),
                        grant -> {
                          throw new java.io.IOException("from the body");
                        }))
        .isInstanceOf(java.io.IOException.class);
    Integer result = one.client().lock(NAME).call(AcquireOptions.once(), grant -> 42);
    assertThat(result).isEqualTo(42);
    assertThat(two.attempt(NAME)).isPresent();
  }

  /** Returns when so many wait. */
  default void awaitWaiters(TestClient looker, int count) {
    await()
        .atMost(longWait())
        .until(
            () ->
                looker.client().find(NAME).map(record -> record.waiters().size()).orElse(0)
                    == count);
  }

  /** Returns when no request waits. */
  default void awaitNoWaiters(TestClient looker) {
    awaitWaiters(looker, 0);
  }
}
