package io.holdfast.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Payload;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Waiter;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The threads of one client in front of one lock. */
@Topic(value = "GAT", level = Level.CORE, clause = "docs/guarantees.md, Order")
public interface GateRules extends ClientFixture {

  /** Short waits behind one of which at least others arrive in time. */
  int TRIES_MAX = 3;

  @Test
  @Rule("HF-GAT-01")
  default void threadsOfOneClientAreServedInOrderOfArrivalByOneRequestAtATime() {
    TestClient one = client();
    Grant held = one.waitFor(NAME, longWait()).grant();
    List<Waiting> line = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      line.add(arrive(one, longWait()));
    }
    // They queue in front of the gate: the store knows of none of them.
    assertThat(one.client().find(NAME).orElseThrow().waiters()).isEmpty();
    assertThat(one.count(Verb.GRAB)).isEqualTo(1);
    Grant last = held;
    for (Waiting next : line) {
      assertThat(next.result()).isNotDone();
      last.release();
      Grant grant = next.grant();
      assertThat(grant.token()).isGreaterThan(last.token());
      last = grant;
    }
    last.release();
    // Fewer where a grant is passed on.
    assertThat(one.count(Verb.GRAB)).isBetween(1L, 1L + line.size());
  }

  @Test
  @Rule("HF-GAT-02")
  default void anAttemptBesideThreadsOfTheSameClientIsRefusedWithoutAskingTheStore() {
    TestClient one = client();
    Grant held = one.waitFor(NAME, longWait()).grant();
    assertThat(one.attempt(NAME)).isEmpty();
    assertThat(one.count(Verb.GRAB)).isEqualTo(1);
    held.release();
  }

  @Test
  @Rule("HF-GAT-03")
  default void theHoldingThreadThatAsksAgainIsToldSo() {
    TestClient one = client();
    Grant held = one.hold(NAME);
    assertThatThrownBy(() -> one.acquire(NAME, longWait()))
        .isInstanceOf(AlreadyHeldException.class)
        .hasMessageContaining("re-entrant");
    assertThat(one.client().lock(NAME).tryAcquire(AcquireOptions.within(longWait()))).isEmpty();
    assertThat(held.isHeld()).as("isHeld() of the grant of %s", held.name()).isTrue();
    held.release();
    one.hold(NAME);
  }

  @Test
  @Rule("HF-GAT-09")
  default void whoeverHandsItsGrantOverWaitsLikeAnyOther() {
    TestClient one = client();
    Grant grant = one.hold(NAME);
    grant.handOver();
    assertThatThrownBy(() -> one.acquire(NAME, Duration.ofMillis(50)))
        .isInstanceOf(LockTimeoutException.class);
    Waiting user = new Waiting(() -> releasedBy(grant));
    assertThat(one.acquire(NAME, longWait()).token()).isGreaterThan(user.grant().token());
  }

  @Test
  @Rule("HF-GAT-10")
  default void aGrantBelongsToWhoeverUsesIt() {
    TestClient one = client();
    Grant grant = one.hold(NAME);
    CountDownLatch used = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    Waiting user =
        new Waiting(
            () -> {
              grant.check();
              used.countDown();
              asked.await();
              assertThatThrownBy(() -> one.acquire(NAME, longWait()))
                  .isInstanceOf(AlreadyHeldException.class);
              return releasedBy(grant);
            });
    await().atMost(longWait()).until(() -> used.getCount() == 0);
    assertThatThrownBy(() -> one.acquire(NAME, Duration.ofMillis(50)))
        .isInstanceOf(LockTimeoutException.class);
    asked.countDown();
    assertThat(one.acquire(NAME, longWait()).isHeld()).isTrue();
    assertThat(user.grant()).isEqualTo(grant);
  }

  private static Grant releasedBy(Grant grant) {
    grant.release();
    return grant;
  }

  @Test
  @Rule("HF-GAT-04")
  default void aShortWaitLeavesItsPlaceInTheStoreToTheLongerOneBehindIt() {
    TestClient holder = client();
    TestClient one = client();
    TestClient other = client();
    int tries = 0;
    boolean shown;
    do {
      shown = showsThatAShortWaitLeavesItsPlace(holder, one, other, NAME + "/" + tries);
    } while (!shown && ++tries < TRIES_MAX);
    assertThat(shown).as("others that arrived behind a short wait").isTrue();
  }

  /** Returns false where the short wait was over before the others had arrived behind it. */
  private boolean showsThatAShortWaitLeavesItsPlace(
      TestClient holder, TestClient one, TestClient other, String name) {
    Grant held = holder.hold(name);
    Waiting shortWait = one.waitFor(name, Duration.ofSeconds(8));
    List<Waiter> first = awaitWaiters(other, name, 1);
    Waiting longWait = arrive(one, name, longWait());
    Waiting later = other.waitFor(name, longWait());
    List<Waiter> both = awaitWaiters(other, name, 2);
    boolean inTime = !shortWait.result().isDone();
    if (inTime) {
      assertThat(both.get(0)).isEqualTo(first.get(0));
      assertThatThrownBy(shortWait::grant).hasCauseInstanceOf(LockTimeoutException.class);
      assertThat(other.client().find(name).orElseThrow().waiters()).isEqualTo(both);
    }
    held.release();
    longWait.grant().release();
    later.grant().release();
    return inTime;
  }

  @Test
  @Rule("HF-GAT-05")
  default void aPlaceInTheStoreIsGivenUpWhenNoThreadWantsItAnyMore() {
    Grant held = client().hold(NAME);
    TestClient one = client();
    Waiting first = one.waitFor(NAME, longWait());
    awaitWaiters(one, 1);
    Waiting second = arrive(one, longWait());
    first.interrupt();
    second.interrupt();
    awaitWaiters(one, 0);
    held.release();
  }

  @Test
  @Rule("HF-GAT-06")
  default void anotherTtlMeansAnotherRequest() {
    Grant held = client().hold(NAME);
    TestClient one = client();
    Waiting first = one.waitFor(NAME, longWait());
    List<Waiter> before = awaitWaiters(one, 1);
    CountDownLatch arrived = new CountDownLatch(1);
    Waiting second =
        new Waiting(
            () -> {
              arrived.countDown();
              return one.client()
                  .lock(NAME)
                  .acquire(AcquireOptions.within(longWait()).ttl(LONG_TTL.plusSeconds(1)));
            });
    await().atMost(longWait()).until(() -> arrived.getCount() == 0);
    first.interrupt();
    await()
        .atMost(longWait())
        .until(
            () -> {
              List<Waiter> now = one.client().find(NAME).orElseThrow().waiters();
              return now.size() == 1 && !now.equals(before);
            });
    held.release();
    assertThat(second.grant().isHeld()).as("isHeld() of the grant").isTrue();
  }

  @Test
  @Rule("HF-GAT-07")
  default void whoeverComesAfterAnotherPublishesAPayloadOfItsOwn() {
    AcquireOptions asking = AcquireOptions.within(longWait());

    Holder holder =
        holderAfterAnotherGaveUp(
            asking.payload(Payload.ofText("first")), asking.payload(Payload.ofText("second")));

    assertThat(holder.payload().text()).isEqualTo("second");
  }

  @Test
  @Rule("HF-GAT-11")
  default void whoeverComesAfterAnotherIsShownWithAReasonOfItsOwn() {
    AcquireOptions asking = AcquireOptions.within(longWait());

    Holder holder = holderAfterAnotherGaveUp(asking.why("first"), asking.why("second"));

    assertThat(holder.why()).isEqualTo("second");
  }

  /** Of two threads that wait, the first gives up before the lock is handed to the second. */
  private Holder holderAfterAnotherGaveUp(AcquireOptions one, AcquireOptions other) {
    Grant held = client().hold(NAME);
    TestClient client = client();
    Waiting first = new Waiting(() -> client.client().lock(NAME).acquire(one));
    awaitWaiters(client, 1);
    CountDownLatch arrived = new CountDownLatch(1);
    Waiting second =
        new Waiting(
            () -> {
              arrived.countDown();
              return client.client().lock(NAME).acquire(other);
            });
    await().atMost(longWait()).until(() -> arrived.getCount() == 0);
    first.interrupt();
    assertThatThrownBy(first::grant).hasCauseInstanceOf(LockInterruptedException.class);
    held.release();
    assertThat(second.grant().isHeld()).as("isHeld() of the grant").isTrue();
    return client.client().find(NAME).flatMap(LockRecord::holder).orElseThrow();
  }

  @Test
  @Rule("HF-GAT-08")
  default void twoClientsOfOneProcessCompeteLikeAnyOthers() {
    TestClient one = client();
    TestClient two = client();
    Grant held = one.hold(NAME);
    assertThat(two.attempt(NAME)).isEmpty();
    held.release();
    assertThat(two.attempt(NAME)).isPresent();
  }

  /** A thread joins the line; returns once it stands there. */
  private Waiting arrive(TestClient client, Duration wait) {
    return arrive(client, NAME, wait);
  }

  private Waiting arrive(TestClient client, String name, Duration wait) {
    AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    Waiting waiting =
        new Waiting(
            () -> {
              thread.set(Thread.currentThread());
              return client.acquire(name, wait);
            });
    await()
        .atMost(longWait())
        .until(
            () ->
                Optional.ofNullable(thread.get()).filter(GateRules::awaitsItsOutcome).isPresent());
    return waiting;
  }

  /** Before it stands in the line a thread may wait, too, as for the lock that guards the line. */
  private static boolean awaitsItsOutcome(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(CompletableFuture.class.getName()));
  }

  private List<Waiter> awaitWaiters(TestClient looker, int count) {
    return awaitWaiters(looker, NAME, count);
  }

  private List<Waiter> awaitWaiters(TestClient looker, String name, int count) {
    return await()
        .atMost(longWait())
        .until(
            () -> looker.client().find(name).orElseThrow().waiters(),
            waiters -> waiters.size() == count);
  }
}
