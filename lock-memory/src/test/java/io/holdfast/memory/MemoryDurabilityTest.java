package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryDurabilityTest {

  private static final LockName LOCK = new LockName("lock");

  /** Its clock stands still but for steps: guards last however slow the machine is. */
  private final MemoryStore store =
      new MemoryStore("test", MemoryOptions.DEFAULTS.clockMicros(() -> 1_700_000_000_000_000L));

  private final LockBackend backend = store.connect(BackendOptions.DEFAULTS);
  private final SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
  private final AtomicReference<@Nullable Thread> caller = new AtomicReference<>();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread made = new Thread(task);
            caller.set(made);
            return made;
          });

  @AfterEach
  void stop() {
    thread.shutdownNow();
  }

  /** Returns when the thread's call is done in the store, and its answer waits. */
  private void awaitThatItWaits() {
    await()
        .atMost(StoreFixture.LONG)
        .until(
            () ->
                Optional.ofNullable(caller.get())
                    .filter(MemoryDurabilityTest::waitsInTheStore)
                    .isPresent());
  }

  private static boolean waitsInTheStore(Thread calling) {
    Thread.State state = calling.getState();
    return (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING)
        && Arrays.stream(calling.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(MemoryStore.class.getName()));
  }

  @Test
  void anAnswerComesWhenWhatItTellsIsDurable() throws Exception {
    store.stopReplicating();
    Future<Held> held = thread.submit(() -> client.hold(LOCK));
    awaitThatItWaits();
    assertThat(held.isDone()).isFalse();

    store.startReplicating();

    assertThat(held.get(20, TimeUnit.SECONDS)).isEqualTo(client.holding(held.get().request()));
  }

  @Test
  void anAnswerThatDoesNotComeInTimeIsUnknown() {
    store.stopReplicating();

    assertThatThrownBy(() -> backend.renew(client.session(), Deadline.in(Duration.ofSeconds(1))))
        .isInstanceOfSatisfying(
            BackendFailure.class,
            failure -> assertThat(failure.effect()).isEqualTo(BackendFailure.Effect.UNKNOWN));
  }

  @Test
  void whoIsInterruptedWhileItWaitsIsToldSo() {
    store.stopReplicating();
    Thread.currentThread().interrupt();

    assertThatThrownBy(client::renew).isInstanceOf(BackendFailure.class);

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void whatWasNotDurableIsLost() {
    Held durable = client.hold(new LockName("durable"));
    store.stopReplicating();
    store.answerEarly(true);
    client.hold(LOCK);

    store.failOver();

    assertThat(client.inspect(LOCK)).isEmpty();
    assertThat(client.holder(new LockName("durable")).request()).isEqualTo(durable.request().id());
  }

  @Test
  void aFailOverLosesNothingThatWasDurable() {
    Held held = client.hold(LOCK);

    store.failOver();

    assertThat(client.holder(LOCK).request()).isEqualTo(held.request().id());
    assertThat(client.renew()).isEqualTo(new Renewed.Over());
  }

  @Test
  void whoWaitsForAnAnswerDuringAFailOverIsNotTold() throws Exception {
    store.stopReplicating();
    Future<Held> held = thread.submit(() -> client.hold(LOCK));
    awaitThatItWaits();
    assertThat(held.isDone()).isFalse();

    store.failOver();

    assertThatThrownBy(() -> held.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(BackendFailure.class);
    assertThat(client.inspect(LOCK)).isEmpty();
  }

  @Test
  void theGuardLastsForTheGreatestTtlAndTheClockStep() {
    store.failOver();
    SpiClient after = SpiClient.open(backend, StoreFixture.LONG);
    store.stepClock(Duration.ofSeconds(60));
    after.renewed();
    assertThat(after.grab(after.request(LOCK))).isInstanceOf(Attempt.Delayed.class);

    store.stepClock(Duration.ofSeconds(2));

    after.hold(LOCK);
  }

  @Test
  void aClockSetBackDuringTheGuardCostsOneMoreGuardAndNotAnHour() {
    store.failOver();
    store.stepClock(Duration.ofHours(-1));
    SpiClient after = SpiClient.open(backend, StoreFixture.LONG);
    assertThat(after.grab(after.request(LOCK))).isInstanceOf(Attempt.Delayed.class);

    store.stepClock(Duration.ofSeconds(62));

    after.hold(LOCK);
  }

  @Test
  void whoeverComesFirstAfterTheLossOfEverythingMakesTheNamespaceAnew() {
    client.hold(LOCK);
    store.loseEverything();

    SpiClient after = SpiClient.open(backend, StoreFixture.LONG);

    assertThat(after.inspect(LOCK)).isEmpty();
    assertThat(after.grab(after.request(LOCK))).isInstanceOf(Attempt.Delayed.class);
  }
}
