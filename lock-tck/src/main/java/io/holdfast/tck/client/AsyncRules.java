package io.holdfast.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.HoldfastException;
import io.holdfast.error.LockQueueFullException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Hang;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Acquires for which no thread waits. */
@Topic(value = "ASY", level = Level.CORE, clause = "DistributedLock.acquireAsync")
public interface AsyncRules extends ClientFixture {

  /** Requests of which the store answers one at least in time. */
  int ASKS_MAX = 5;

  /** The tasks that the test itself runs, when it wants to. */
  class Tasks {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    /** Waits for one, which has not run yet. */
    private Runnable next(Duration wait) throws InterruptedException {
      return Optional.ofNullable(tasks.poll(wait.toMillis(), TimeUnit.MILLISECONDS))
          .orElseThrow(() -> new AssertionError("Nothing was handed to the executor."));
    }
  }

  private TestClient client(Tasks tasks) {
    return client(Holdfast.builder().defaultTtl(LONG_TTL).asyncExecutor(tasks.tasks::add));
  }

  /** Waits for the grant, but not for ever. */
  private Grant granted(CompletableFuture<Grant> asked) {
    assertThat(asked).as("what was asked for").succeedsWithin(longWait());
    return asked.join();
  }

  private void untilWaiting(TestClient looker, int count) {
    await()
        .atMost(longWait())
        .until(
            () ->
                looker.client().find(NAME).map(LockRecord::waiters).orElse(List.of()).size()
                    == count);
  }

  private void assertFails(CompletableFuture<?> asked, Class<? extends HoldfastException> type) {
    assertThat(asked)
        .as("what was asked for")
        .failsWithin(longWait())
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(type);
  }

  /** Returns whether a request ended with the store not having said who holds, as a slow one. */
  private boolean isUnanswered(CompletableFuture<?> asked) {
    Throwable thrown =
        catchThrowable(() -> asked.get(longWait().toMillis(), TimeUnit.MILLISECONDS));
    return thrown instanceof ExecutionException ended
        && ended.getCause() instanceof BackendUnreachableException;
  }

  /** No client holds it: another one gets it without waiting for a lease to run out. */
  private void assertComesFree(TestClient other) {
    await().atMost(longWait()).until(() -> other.attempt(NAME).isPresent());
  }

  @Test
  @Rule("HF-ASY-01")
  default void grantsComeInTheOrderOfTheQueueOneAtATime() {
    TestClient one = client();
    TestClient two = client();
    Grant last = granted(one.client().lock(NAME).acquireAsync());
    List<CompletableFuture<Grant>> line = new ArrayList<>();
    line.add(two.client().lock(NAME).acquireAsync());
    untilWaiting(two, 1);
    line.add(two.client().lock(NAME).acquireAsync(longWait().multipliedBy(4)));
    line.add(two.client().lock(NAME).acquireAsync());
    assertThat(one.client().lock(NAME).tryAcquireAsync())
        .as("an attempt at a lock that is held")
        .succeedsWithin(longWait())
        .isEqualTo(Optional.empty());
    for (CompletableFuture<Grant> next : line) {
      assertThat(next).as("one that waits while another holds").isNotDone();
      last.release();
      Grant grant = granted(next);
      assertThat(grant.isHeld()).as("isHeld() of the grant").isTrue();
      assertThat(grant.token()).isGreaterThan(last.token());
      last = grant;
    }
    last.release();
    assertThat(one.client().lock(NAME).tryAcquireAsync())
        .as("an attempt at a free lock")
        .succeedsWithin(longWait())
        .satisfies(free -> assertThat(free).isPresent());
  }

  @Test
  @Rule("HF-ASY-02")
  default void whoeverEndsTheFutureHasLeftTheQueue() {
    TestClient one = client();
    Grant held = one.hold(NAME);
    TestClient two = client();
    List<Consumer<CompletableFuture<Grant>>> ends =
        List.of(
            asked -> asked.cancel(true),
            asked -> asked.completeExceptionally(new IllegalStateException("not wanted")),
            asked -> {
              CompletableFuture<Grant> unused = asked.orTimeout(1, TimeUnit.MILLISECONDS);
            });
    for (Consumer<CompletableFuture<Grant>> end : ends) {
      CompletableFuture<Grant> asked = two.client().lock(NAME).acquireAsync();
      untilWaiting(one, 1);
      end.accept(asked);
      untilWaiting(one, 0);
      assertThat(asked).as("the future that was ended").isCompletedExceptionally();
    }
    held.release();
    assertComesFree(one);
  }

  @Test
  @Rule("HF-ASY-03")
  default void aGrantThatComesTooLateIsGivenBack() throws Exception {
    Tasks tasks = new Tasks();
    TestClient one = client(tasks);
    TestClient other = client();
    // An unused grant takes no lock for its least time.
    boolean stays = fixture().capabilities().stays().contains(Stays.AT_LEAST);
    List<Consumer<CompletableFuture<Grant>>> ends =
        List.of(
            asked -> asked.cancel(false),
            asked -> asked.completeExceptionally(new IllegalStateException("not wanted")));
    for (Consumer<CompletableFuture<Grant>> end : ends) {
      Duration atLeast = stays ? longWait().multipliedBy(2) : Duration.ZERO;
      CompletableFuture<Grant> asked =
          one.client().lock(NAME).acquireAsync(AcquireOptions.forever().atLeast(atLeast));
      Runnable completion = tasks.next(longWait());
      end.accept(asked);
      completion.run();
      await()
          .atMost(longWait())
          .untilAsserted(() -> assertThat(other.attempt(NAME)).hasValueSatisfying(Grant::release));
    }
  }

  @Test
  @Rule("HF-ASY-04")
  default void theFutureIsCompletedWhereTheCallerSays() throws Exception {
    Tasks tasks = new Tasks();
    TestClient one = client(tasks);
    TestClient other = client();
    Thread here = Thread.currentThread();
    List<Thread> completedBy = new ArrayList<>();
    Grant held = other.hold(NAME);
    CompletableFuture<Grant> granted = one.client().lock(NAME).acquireAsync();
    CompletableFuture<Void> noted =
        granted.thenAccept(grant -> completedBy.add(Thread.currentThread()));
    untilWaiting(other, 1);
    held.release();
    Runnable completion = tasks.next(longWait());
    assertThat(granted).as("a future whose executor has not run").isNotDone();
    completion.run();
    assertThat(noted).succeedsWithin(longWait());
    granted(granted);

    CompletableFuture<Grant> late = one.client().lock(NAME).acquireAsync(Duration.ofMillis(1));
    Runnable failure = tasks.next(longWait());
    assertThat(late).as("a future whose executor has not run").isNotDone();
    CompletableFuture<Grant> failed =
        late.whenComplete((grant, thrown) -> completedBy.add(Thread.currentThread()));
    failure.run();
    assertFails(failed, LockTimeoutException.class);
    assertThat(completedBy).containsExactly(here, here);
  }

  @Test
  @Rule("HF-ASY-05")
  default void whatTheExecutorRejectsIsGivenBack() {
    TestClient one =
        client(
            Holdfast.builder()
                .defaultTtl(LONG_TTL)
                .asyncExecutor(
                    task -> {
                      throw new RejectedExecutionException("no room");
                    }));
    CompletableFuture<Grant> asked = one.client().lock(NAME).acquireAsync();
    assertThat(asked)
        .failsWithin(longWait())
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RejectedExecutionException.class);
    assertComesFree(client());
    CompletableFuture<Grant> late;
    int asks = 0;
    do {
      late = one.client().lock(NAME).acquireAsync(Duration.ofMillis(1));
    } while (isUnanswered(late) && ++asks < ASKS_MAX);
    assertFails(late, LockTimeoutException.class);
  }

  @Test
  @Rule("HF-ASY-06")
  default void closingTheClientEndsWhatWaits() {
    TestClient one = client();
    Grant held = one.hold(NAME);
    TestClient two = client();
    CompletableFuture<Grant> first = two.client().lock(NAME).acquireAsync();
    CompletableFuture<Optional<Grant>> second =
        two.client().lock(NAME).tryAcquireAsync(AcquireOptions.forever());
    untilWaiting(one, 1);
    two.client().close();
    assertFails(first, ClientClosedException.class);
    assertFails(second, ClientClosedException.class);
    untilWaiting(one, 0);
    assertFails(two.client().lock(NAME).acquireAsync(), ClientClosedException.class);
    held.release();
    assertComesFree(one);
  }

  @Test
  @Rule("HF-ASY-07")
  default void aFutureFailsWhenItsTimeIsUpAndLeavesNothingInTheQueue() {
    TestClient one = client();
    Grant held = one.hold(NAME);
    TestClient two = client();
    CompletableFuture<Grant> asked;
    CompletableFuture<Optional<Grant>> tried;
    int asks = 0;
    do {
      asked = two.client().lock(NAME).acquireAsync(SHORT_WAIT);
      tried = two.client().lock(NAME).tryAcquireAsync(AcquireOptions.within(SHORT_WAIT));
    } while ((isUnanswered(asked) || isUnanswered(tried)) && ++asks < ASKS_MAX);
    assertFails(asked, LockTimeoutException.class);
    assertThat(tried).succeedsWithin(longWait()).isEqualTo(Optional.empty());
    untilWaiting(one, 0);
    held.release();
    assertComesFree(one);
  }

  @Test
  @Rule("HF-ASY-08")
  default void manyWaitAtOnceAndEachGetsItsLock() {
    int many = 100;
    TestClient one = client();
    TestClient two = client();
    List<CompletableFuture<Grant>> held = new ArrayList<>();
    List<CompletableFuture<Grant>> waiting = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      held.add(one.client().lock("many/" + i).acquireAsync());
    }
    held.forEach(this::granted);
    for (int i = 0; i < many; i++) {
      waiting.add(two.client().lock("many/" + i).acquireAsync());
    }
    assertThat(waiting).as("those that wait while another holds").noneMatch(Future::isDone);
    held.forEach(before -> granted(before).release());
    for (int i = 0; i < many; i++) {
      assertThat(granted(waiting.get(i)).token())
          .as("the token of many/%s", i)
          .isGreaterThan(granted(held.get(i)).token());
    }
  }

  @Test
  @Rule("HF-ASY-09")
  default void whoeverAsksDoesNotWaitForTheStore() throws Exception {
    TestClient one = client();
    one.hold("first").release(); // The session is open.
    Hang hang = one.faults().every(Verb.GRAB, call -> true, Hang.beyondDeadlines());
    CompletableFuture<CompletableFuture<Grant>> asked = new CompletableFuture<>();
    Thread asking =
        new Thread(() -> asked.complete(one.client().lock(NAME).acquireAsync()), "tck-asking");
    asking.setDaemon(true);
    asking.start();
    try {
      await().atMost(longWait()).until(() -> hang.hanging() > 0);
      await().atMost(longWait()).until(() -> !asking.isAlive());
      assertThat(hang.hanging()).as("the call, when the future is there").isPositive();
      assertThat(asked.get(0, TimeUnit.SECONDS)).as("the future").isNotDone();
    } finally {
      hang.release();
    }
    assertThat(granted(asked.get(0, TimeUnit.SECONDS)).isHeld()).isTrue();
  }

  @Test
  @Rule("HF-ASY-10")
  default void aGrantBelongsToNoThreadAlsoIfOneUsesIt() {
    TestClient one = client();
    Grant grant = granted(one.client().lock(NAME).acquireAsync());
    assertThat(grant.isHeld()).as("isHeld() of the grant").isTrue();
    assertThatThrownBy(() -> one.acquire(NAME, Duration.ofMillis(50)))
        .isInstanceOf(LockTimeoutException.class);
    CompletableFuture<Grant> next = one.client().lock(NAME).acquireAsync();
    grant.release();
    granted(next).release();

    Waiting thread = one.waitFor(NAME, longWait());
    Grant ofThread = thread.grant();
    CompletableFuture<Grant> behind = one.client().lock(NAME).acquireAsync();
    ofThread.release();
    assertThat(granted(behind).token()).isGreaterThan(ofThread.token());
  }

  @Test
  @Rule("HF-ASY-11")
  default void whatIsWrongEndsTheFuture() {
    TestClient one = client();
    one.hold(NAME);
    assertFails(
        one.client().lock(NAME).acquireAsync(AcquireOptions.forever().ttl(Duration.ofNanos(1))),
        BadRequestException.class);
    TestClient two =
        fixture()
            .closedWithThis(
                new TestClient(
                    fixture().connect(StoreFixture.options().withMaxWaiters(1)),
                    Holdfast.builder().defaultTtl(LONG_TTL),
                    fixture().store()::asSeenByEngine,
                    fixture().store()::asSeenByApplication));
    TestClient three = client();
    CompletableFuture<Grant> waits = three.client().lock(NAME).acquireAsync();
    untilWaiting(one, 1);
    assertFails(two.client().lock(NAME).acquireAsync(), LockQueueFullException.class);
    assertThat(waits).as("the one that waits").isNotDone();
  }
}
