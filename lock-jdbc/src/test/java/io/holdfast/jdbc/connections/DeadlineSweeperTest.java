package io.holdfast.jdbc.connections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.jdbc.connections.DeadlineTimer.Call;
import io.holdfast.spi.Deadline;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every call is ended at its deadline, and hardly any disturbs the thread that sees to that. */
class DeadlineSweeperTest {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(20);

  private final List<Thread> started = new CopyOnWriteArrayList<>();
  private final AtomicBoolean ended = new AtomicBoolean();
  private DeadlineSweeper sweeper = sweeper(this::thread, Duration.ofHours(1));

  private static DeadlineSweeper sweeper(ThreadFactory threads, Duration idle) {
    return new DeadlineSweeper(threads, Runnable::run, idle);
  }

  private Thread thread(Runnable body) {
    Thread thread = BackendThreads.daemons("sweeper").newThread(body);
    started.add(thread);
    return thread;
  }

  @AfterEach
  void stop() {
    sweeper.close();
  }

  private static Deadline far() {
    return Deadline.in(Duration.ofMinutes(30));
  }

  private void end() {
    ended.set(true);
  }

  @Test
  void aCallThatHasNotReturnedIsEndedAtItsDeadline() {
    Call call = sweeper.start(Deadline.in(SHORT), this::end);

    await().atMost(WAIT_MAX).untilTrue(ended);
    assertThat(call.returned()).isFalse();
  }

  @Test
  void aCallWithAnEarlierDeadlineThanThoseUnderWayIsEndedAtIt() {
    Call patient = sweeper.start(far(), () -> {});
    await().atMost(WAIT_MAX).until(() -> waits() > 0);

    sweeper.start(Deadline.in(SHORT), this::end);

    await().atMost(WAIT_MAX).untilTrue(ended);
    assertThat(patient.returned()).isTrue();
  }

  @Test
  void aCallIsEndedAlsoAfterOneWithAnEarlierDeadlineHasReturned() {
    // A machine may pause for so long between the two calls of a line.
    await().atMost(WAIT_MAX).until(() -> sweeper.start(Deadline.in(SHORT), () -> {}).returned());
    sweeper.start(Deadline.in(SHORT.multipliedBy(2)), this::end);

    await().atMost(WAIT_MAX).untilTrue(ended);
  }

  @Test
  void aCallThatReturnedIsNotEnded() {
    CompletableFuture<Void> later = new CompletableFuture<>();
    Call call = sweeper.start(Deadline.in(SHORT), this::end);
    sweeper.start(Deadline.in(SHORT.multipliedBy(2)), () -> later.complete(null));

    boolean returned = call.returned();

    assertThat(later).succeedsWithin(WAIT_MAX);
    assertThat(ended.get()).isEqualTo(!returned); // A machine may pause between the two lines.
  }

  /** Such a change of threads would take as long as the call itself. */
  @Test
  void callsThatReturnInTimeDoNotWakeTheThreadUp() {
    for (int i = 0; i < 20_000; i++) {
      assertThat(sweeper.start(far(), this::end).returned()).isTrue();
    }

    assertThat(started).hasSize(1);
    assertThat(waits()).isLessThan(20);
    assertThat(ended).isFalse();
  }

  /** How often the thread has gone to sleep. */
  private long waits() {
    return ManagementFactory.getThreadMXBean()
        .getThreadInfo(started.get(0).getId())
        .getWaitedCount();
  }

  @Test
  void anIdleThreadEndsAndTheNextCallStartsAnother() {
    sweeper = sweeper(this::thread, Duration.ZERO);
    assertThat(sweeper.start(far(), () -> {}).returned()).isTrue();
    await().atMost(WAIT_MAX).until(() -> !started.get(0).isAlive());

    sweeper.start(Deadline.in(SHORT), this::end);

    await().atMost(WAIT_MAX).untilTrue(ended);
    assertThat(started).hasSize(2);
  }

  @Test
  void callsUnderWayAreEndedAlsoAfterItIsClosedAndThenTheThreadEnds() {
    Call patient = sweeper.start(far(), () -> {});
    sweeper.start(Deadline.in(SHORT), this::end);

    sweeper.close();

    await().atMost(WAIT_MAX).untilTrue(ended);
    assertThat(started.get(0).isAlive()).isTrue();
    assertThat(patient.returned()).isTrue();
    await().atMost(WAIT_MAX).until(() -> !started.get(0).isAlive());
  }

  @Test
  void whereNoThreadCanBeStartedNoCallBegins() {
    AtomicBoolean full = new AtomicBoolean(true);
    sweeper =
        sweeper(
            body -> {
              if (full.get()) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return thread(body);
            },
            Duration.ofHours(1));
    assertThatThrownBy(() -> sweeper.start(Deadline.in(SHORT), this::end))
        .isInstanceOf(OutOfMemoryError.class);

    full.set(false);
    CompletableFuture<Void> next = new CompletableFuture<>();
    sweeper.start(Deadline.in(SHORT.multipliedBy(2)), () -> next.complete(null));

    assertThat(next).succeedsWithin(WAIT_MAX);
    assertThat(ended).isFalse();
  }

  @Test
  void aCallIsEndedAlsoWhereNoOtherThreadCanDoIt() {
    sweeper =
        new DeadlineSweeper(
            this::thread,
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            Duration.ofHours(1));

    sweeper.start(Deadline.in(SHORT), this::end);

    await().atMost(WAIT_MAX).untilTrue(ended);
  }

  @Test
  void manyThreadsMissNoDeadline() throws InterruptedException {
    sweeper = sweeper(this::thread, Duration.ofMillis(1));
    List<CompletableFuture<Void>> all = new CopyOnWriteArrayList<>();
    List<Thread> callers = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread caller =
          new Thread(
              () -> {
                for (int call = 0; call < 500; call++) {
                  CompletableFuture<Void> mine = new CompletableFuture<>();
                  all.add(mine);
                  Duration time = Duration.ofNanos(call % 7 * 300_000L);
                  sweeper.start(Deadline.in(time), () -> mine.complete(null));
                  sweeper.start(far(), this::end).returned();
                }
              });
      callers.add(caller);
      caller.start();
    }
    for (Thread caller : callers) {
      caller.join();
    }

    assertThat(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)))
        .succeedsWithin(WAIT_MAX);
    assertThat(ended).isFalse();
  }
}
