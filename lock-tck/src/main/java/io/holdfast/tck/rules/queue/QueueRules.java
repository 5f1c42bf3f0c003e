package io.holdfast.tck.rules.queue;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.ConcurrentCalls;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Waiting: in order, without a place for those who left, and without being forgotten. */
@Topic(value = "QUE", level = Level.CORE, clause = "LockBackend.grab and release: the queue")
public interface QueueRules extends SpiRules {

  int ROUNDS = 10;

  Duration MOMENT = Duration.ofMillis(100);

  @Test
  @Rule("HF-QUE-01")
  @Proves(Claim.FIFO)
  default void waitersAreServedInTheOrderInWhichTheyJoined() {
    fixture().requireOrder(Order.FIFO);
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    List<SpiClient> waiters = Stream.generate(() -> fixture().client()).limit(5).toList();
    List<Request> joined = waiters.stream().map(waiter -> waiter.queue(LOCK)).toList();

    assertThat(holder.inspect(LOCK).orElseThrow().waiters())
        .extracting(Waiter::request)
        .containsExactlyElementsOf(joined.stream().map(Request::id).toList());
    List<RequestId> served = new ArrayList<>();
    holder.release(held);
    for (int i = 0; i < joined.size(); i++) {
      RequestId next = holder.holder(LOCK).request();
      served.add(next);
      holder.backend().release(LOCK, next, StoreFixture.soon());
    }

    assertThat(served).containsExactlyElementsOf(joined.stream().map(Request::id).toList());
    holder.requireFree(LOCK);
  }

  @Test
  @Rule("HF-QUE-02")
  default void aWaiterIsToldWhatIsAheadOfIt() {
    fixture().client().hold(LOCK);
    SpiClient first = fixture().client();
    SpiClient second = fixture().client();
    Request next = first.queue(LOCK);
    Request last = second.queue(LOCK);

    first.requireWaiting(next, 1);
    second.requireWaiting(last, 2);
  }

  @Test
  @Rule("HF-QUE-03")
  default void aReleaseHandsTheLockToTheNextWaiter() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);

    assertThat(holder.release(held)).isEqualTo(Released.HANDED_ON);

    Held next = waiter.holding(waits);
    assertThat(next.number()).isGreaterThan(held.number());
    assertThat(waiter.hold(waits)).isEqualTo(next);
    assertThat(waiter.release(next)).isEqualTo(Released.FREED);
  }

  /** Otherwise those who wait could be passed for ever. */
  @Test
  @Rule("HF-QUE-04")
  default void aNewcomerDoesNotPassThoseWhoWait() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);
    SpiClient newcomer = fixture().client();

    holder.release(held);

    assertThat(newcomer.refused(LOCK).request()).isEqualTo(waits.id());
    assertThat(newcomer.grab(newcomer.waitingRequest(LOCK))).isEqualTo(new Attempt.Queued());
    assertThat(holder.refused(LOCK).request()).isEqualTo(waits.id());
  }

  @Test
  @Rule("HF-QUE-05")
  default void aWaiterThatGivesUpIsGoneAtOnce() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);

    assertThat(waiter.release(waits)).isEqualTo(Released.WAS_WAITING);

    assertThat(waiter.standing(waits)).isEqualTo(new Standing.Absent());
    assertThat(holder.release(held)).isEqualTo(Released.FREED);
    assertThat(waiter.standing(waits)).isEqualTo(new Standing.Absent());
    holder.requireFree(LOCK);
  }

  @Test
  @Rule("HF-QUE-06")
  default void whoWaitedBehindOneThatGaveUpIsNext() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient first = fixture().client();
    SpiClient second = fixture().client();
    Request gaveUp = first.queue(LOCK);
    Request behind = second.queue(LOCK);

    first.release(gaveUp);

    assertThat(second.waiting(behind).ahead()).isEqualTo(1);
    holder.release(held);
    second.holding(behind);
  }

  /** A request that joins while the holder leaves is either seen by it, or finds the lock free. */
  @Test
  @Rule(value = "HF-QUE-07", marked = 15)
  default void whoJoinsWhileTheHolderLeavesIsNotForgotten() {
    SpiClient holder = fixture().client();
    SpiClient joiner = fixture().client();

    for (int round = 0; round < 50; round++) {
      LockName name = new LockName("join/" + round);
      Held held = holder.hold(name);
      Request joins = joiner.waitingRequest(name);
      ConcurrentCalls.run(() -> holder.release(held), () -> joiner.grab(joins));

      assertThat(joiner.holding(joins).number()).isGreaterThan(held.number());
      holder.keepAlive();
      joiner.keepAlive();
    }
  }

  /** A waiter that gives up while it is handed the lock either passes it on, or never had it. */
  @Test
  @Rule(value = "HF-QUE-08", marked = 15)
  default void whoGivesUpWhileTheHolderLeavesDoesNotKeepTheLock() {
    SpiClient holder = fixture().client();
    SpiClient leaver = fixture().client();
    SpiClient behind = fixture().client();

    for (int round = 0; round < 50; round++) {
      LockName name = new LockName("leave/" + round);
      Held held = holder.hold(name);
      Request leaves = leaver.queue(name);
      Request waits = behind.queue(name);
      ConcurrentCalls.run(() -> holder.release(held), () -> leaver.release(leaves));

      assertThat(leaver.standing(leaves)).isEqualTo(new Standing.Absent());
      behind.release(behind.holding(waits));
      behind.requireFree(name);
      Stream.of(holder, leaver, behind).forEach(SpiClient::keepAlive);
    }
  }

  @Test
  @Rule("HF-QUE-09")
  default void manyWhoComeAndGoLeaveNothingBehind() {
    List<SpiClient> clients = Stream.generate(() -> fixture().client()).limit(6).toList();

    ConcurrentCalls.call(clients.stream().map(QueueRules::comingAndGoing).toList());

    clients.get(0).requireFree(LOCK);
  }

  private static Callable<Boolean> comingAndGoing(SpiClient client) {
    return () -> {
      for (int i = 0; i < 30; i++) {
        Request request = client.waitingRequest(LOCK);
        client.grab(request);
        assertThat(client.release(request)).isNotEqualTo(Released.NOTHING);
        client.keepAlive();
      }
      return true;
    };
  }

  /** A hint may get lost, but where push is claimed not all of them do. */
  @Test
  @Rule("HF-QUE-10")
  @Proves(Claim.PUSH)
  default void aWaiterIsHintedThatItIsItsTurnWherePushIsClaimed() throws Exception {
    fixture().requireWakeup(Wakeup.PUSH);
    SpiClient holder = fixture().client();
    SpiClient waiter = fixture().client();
    List<LockName> names = IntStream.range(0, 5).mapToObj(i -> new LockName("hint/" + i)).toList();
    Queue<LockName> hints = new ConcurrentLinkedQueue<>();

    try (AutoCloseable listening =
        waiter.backend().listen(waiter.session(), hints::add, StoreFixture.soon())) {
      for (LockName name : names) {
        Held held = holder.hold(name);
        waiter.queue(name);
        holder.release(held);
      }

      Awaitility.await().atMost(fixture().store().maxWait()).until(() -> !hints.isEmpty());
      assertThat(names).containsAll(hints);
    }
  }

  /** Any one hint may be lost, but they do not cease while the connection for them is there. */
  @Test
  @Rule("HF-QUE-11")
  default void hintsGoOnWherePushIsClaimed() throws Exception {
    fixture().requireWakeup(Wakeup.PUSH);
    SpiClient holder = fixture().client();
    SpiClient waiter = fixture().client();
    AtomicInteger hints = new AtomicInteger();
    HintListener counting = name -> hints.incrementAndGet();

    try (AutoCloseable listening =
        waiter.backend().listen(waiter.session(), counting, StoreFixture.soon())) {
      for (int i = 0; i < 3; i++) {
        int before = hints.get();
        Awaitility.await()
            .atMost(fixture().store().maxWait())
            .pollInterval(Duration.ofMillis(20))
            .until(() -> handsOver(holder, waiter) && hints.get() >= before + 3);
      }
    }
  }

  /**
   * The time that it learnt before, at which the lock may come free, is not true any more. A store
   * may need a moment to take note of a new waiter's wait: its client looks after that.
   */
  @Test
  @Rule("HF-QUE-12")
  default void theFirstWaiterHearsThatItsHolderStays() throws Exception {
    fixture().requireWakeup(Wakeup.PUSH);
    fixture().requireStays(Stays.AT_LEAST);
    SpiClient holder = fixture().client();
    SpiClient waiter = fixture().client();
    BlockingQueue<LockName> hints = new LinkedBlockingQueue<>();

    try (AutoCloseable listening =
        waiter.backend().listen(waiter.session(), hints::add, StoreFixture.soon())) {
      boolean hears = false;
      for (int round = 0; round < ROUNDS && !hears; round++) {
        LockName name = new LockName("stay/" + round);
        Held held = holder.hold(name);
        waiter.waiting(waiter.queue(name));
        StoreFixture.pass(MOMENT.multipliedBy(round));
        waiter.keepAlive();
        hints.clear();
        holder.releaseAfter(held.request(), LONG);
        hears = hints.poll(MOMENT.multipliedBy(ROUNDS).toMillis(), MILLISECONDS) != null;
      }

      assertThat(hears).as("a hint in any of %s rounds", ROUNDS).isTrue();
    }
  }

  private static boolean handsOver(SpiClient holder, SpiClient waiter) {
    Held held = holder.hold(LOCK);
    Request waits = waiter.queue(LOCK);
    holder.release(held);
    waiter.release(waiter.holding(waits));
    return true;
  }

  /** What a client remembers of a lock that it left free says nothing of those who wait. */
  @Test
  @Rule(value = "HF-QUE-13", marked = 15)
  default void whoWaitsForALockThatItsHolderLeftFreeBeforeIsServed() {
    SpiClient holder = fixture().client();
    for (int pair = 0; pair < 2; pair++) {
      holder.release(holder.hold(LOCK));
    }
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);

    assertThat(holder.release(held)).isEqualTo(Released.HANDED_ON);

    Held next = waiter.holding(waits);
    assertThat(next.number()).isGreaterThan(held.number());
    assertThat(waiter.release(next)).isEqualTo(Released.FREED);
  }
}
