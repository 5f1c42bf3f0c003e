package io.holdfast.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.FencingToken;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.error.StaleTokenException;
import io.holdfast.fencing.FencingGuard.Older;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What a guard in memory lets in. */
class FencingGuardTest {

  private final FencingGuard guard = FencingGuard.create();

  private static Sequencer writer(String name, long token) {
    return new Sequencer(new LockName(name), LockMode.EXCLUSIVE, new FencingToken(token));
  }

  private static Sequencer reader(String name, long token) {
    return new Sequencer(new LockName(name), LockMode.SHARED, new FencingToken(token));
  }

  private void pass(Sequencer sequencer) {
    guard.enter(sequencer).close();
  }

  private void refuse(Sequencer sequencer) {
    assertThatThrownBy(() -> guard.enter(sequencer))
        .isInstanceOf(StaleTokenException.class)
        .hasMessageContaining(sequencer.token().toString())
        .hasMessageContaining(sequencer.name().value());
  }

  @Test
  void anOlderWriterIsRefusedAndTheSameOneComesAgain() {
    pass(writer("a", 5));
    pass(writer("a", 5));
    refuse(writer("a", 4));
    pass(writer("a", 6));
    refuse(writer("a", 5));
    pass(writer("b", 1));
  }

  @Test
  void readersOfOneRunComeInAnyOrder() {
    pass(writer("a", 5));
    pass(reader("a", 7));
    pass(reader("a", 6));
    refuse(reader("a", 4));
  }

  @Test
  void aWriterMustBeNewerThanEveryReader() {
    pass(reader("a", 7));
    refuse(writer("a", 6));
    refuse(writer("a", 7));
    pass(writer("a", 8));
    refuse(reader("a", 7));
  }

  private CompletableFuture<Admission> entering(Sequencer sequencer, Older older) {
    return entering(sequencer, older, Optional.empty());
  }

  private CompletableFuture<Admission> entering(
      Sequencer sequencer, Older older, Optional<Duration> maxWait) {
    CompletableFuture<Admission> entering = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                entering.complete(guard.enter(sequencer, older, maxWait));
              } catch (RuntimeException e) {
                entering.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return entering;
  }

  /** Until it has arrived its token is not known. */
  private void awaitArrival(Sequencer sequencer) throws InterruptedException {
    while (!guard.greatestExclusive(sequencer.name()).equals(Optional.of(sequencer.token()))) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private void awaitArrivalOrEnd(Sequencer sequencer, CompletableFuture<Admission> entering)
      throws InterruptedException {
    while (!entering.isDone()
        && !guard.greatestExclusive(sequencer.name()).equals(Optional.of(sequencer.token()))) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static Admission in(CompletableFuture<Admission> entering) {
    return entering.orTimeout(60, TimeUnit.SECONDS).join();
  }

  /** It may be at work still: the newcomer is neither let in nor told of what is not its own. */
  @Test
  void oneWhoseCancellationFailsIsWaitedFor() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    Admission older = guard.enter(writer("a", 5));
    older.onCancel(
        () -> {
          tries.incrementAndGet();
          throw new IllegalStateException("cannot be closed");
        });
    assertThatThrownBy(
            () -> guard.enter(writer("a", 6), Older.CANCEL, Optional.of(Duration.ofMillis(1))))
        .isInstanceOf(LockTimeoutException.class);
    CompletableFuture<Admission> newer = entering(writer("a", 7), Older.CANCEL);
    awaitArrivalOrEnd(writer("a", 7), newer);
    assertThat(newer).isNotDone();
    assertThat(older.isCancelled()).isTrue();

    older.close();

    in(newer).close();
    assertThat(tries).hasValue(1);
  }

  @Test
  void aWriterWaitsUntilOlderOnesHaveLeftAndRefusesThemFromItsArrivalOn() throws Exception {
    Admission older = guard.enter(writer("a", 5));
    CompletableFuture<Admission> newer = entering(writer("a", 6), Older.AWAIT);
    awaitArrival(writer("a", 6));

    refuse(writer("a", 5));
    assertThat(newer).isNotDone();
    older.close();
    older.close();

    in(newer).close();
  }

  @Test
  void readersWaitForAnOlderWriterAndForNoReader() {
    Admission reading = guard.enter(reader("a", 5));
    Admission beside = guard.enter(reader("a", 6));
    beside.close();
    reading.close();
    Admission writing = guard.enter(writer("a", 7));

    assertThatThrownBy(
            () -> guard.enter(reader("a", 8), Older.AWAIT, Optional.of(Duration.ofMillis(1))))
        .isInstanceOf(LockTimeoutException.class);

    writing.close();
    pass(reader("a", 8));
  }

  @Test
  void aWaitMayBeLongerThanNanosecondsCanCount() throws Exception {
    Admission older = guard.enter(writer("a", 5));
    CompletableFuture<Admission> newer =
        entering(writer("a", 6), Older.AWAIT, Optional.of(Duration.ofSeconds(Long.MAX_VALUE)));
    awaitArrivalOrEnd(writer("a", 6), newer);

    older.close();

    in(newer).close();
  }

  @Test
  void oneThatWaitsIsRefusedWhenAStillNewerOneComes() throws Exception {
    Admission oldest = guard.enter(writer("a", 5));
    CompletableFuture<Admission> middle = entering(writer("a", 6), Older.AWAIT);
    awaitArrival(writer("a", 6));
    CompletableFuture<Admission> newest = entering(writer("a", 7), Older.AWAIT);
    awaitArrival(writer("a", 7));

    oldest.close();

    in(newest).close();
    assertThatThrownBy(() -> in(middle)).hasCauseInstanceOf(StaleTokenException.class);
  }

  @Test
  void olderOnesAreCancelledWhereTheNewerOneWantsIt() {
    Admission older = guard.enter(writer("a", 5));
    AtomicInteger cancelled = new AtomicInteger();
    older.onCancel(cancelled::incrementAndGet);

    guard.enter(writer("a", 6), Older.CANCEL, Optional.empty()).close();

    assertThat(cancelled).hasValue(1);
    assertThat(older.isCancelled()).isTrue();
    older.close();
    pass(writer("a", 6));
  }

  /** An action cannot be cut off, but the time that it takes is part of the wait. */
  @Test
  void whenTheTimeIsUpNoFurtherOneIsCancelledAndNobodyIsLetIn() {
    Duration maxWait = Duration.ofMillis(50);
    AtomicInteger cancelled = new AtomicInteger();
    for (int i = 0; i < 2; i++) {
      guard
          .enter(reader("a", 5))
          .onCancel(
              () -> {
                cancelled.incrementAndGet();
                LockSupport.parkNanos(maxWait.multipliedBy(2).toNanos());
              });
    }
    assertThatThrownBy(() -> guard.enter(writer("a", 6), Older.CANCEL, Optional.of(maxWait)))
        .isInstanceOf(LockTimeoutException.class);
    assertThat(cancelled).hasValue(1);
  }

  @Test
  void aWaitOfNoTimeCancelsNobody() {
    Admission older = guard.enter(writer("a", 5));
    older.onCancel(() -> {});
    assertThatThrownBy(() -> guard.enter(writer("a", 6), Older.CANCEL, Optional.of(Duration.ZERO)))
        .isInstanceOf(LockTimeoutException.class);
    assertThat(older.isCancelled()).isFalse();
  }

  @Test
  void oneThatSaysLateHowItIsCancelledIsCancelledThen() throws Exception {
    Admission older = guard.enter(writer("a", 5));
    CompletableFuture<Admission> newer = entering(writer("a", 6), Older.CANCEL);
    awaitArrival(writer("a", 6));
    AtomicInteger cancelled = new AtomicInteger();

    older.onCancel(cancelled::incrementAndGet);

    in(newer).close();
    assertThat(cancelled).hasValue(1);
  }

  @Test
  void aWaitCanBeInterrupted() {
    Admission older = guard.enter(writer("a", 5));
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> guard.enter(writer("a", 6)))
        .isInstanceOf(LockInterruptedException.class);

    assertThat(Thread.interrupted()).isTrue();
    older.close();
    pass(writer("a", 6));
  }

  @Test
  void whatIsForgottenRaisesAFloorAndWhatIsInsideIsNotForgotten() {
    FencingGuard small = FencingGuard.remembering(2);
    Admission inside = small.enter(writer("a", 5));
    small.enter(writer("b", 9)).close();
    small.enter(writer("c", 7)).close();
    small.enter(writer("d", 9)).close();

    assertThatThrownBy(() -> small.enter(writer("b", 8))).isInstanceOf(StaleTokenException.class);
    assertThatThrownBy(() -> small.enter(writer("e", 8))).isInstanceOf(StaleTokenException.class);
    small.enter(writer("e", 9)).close();
    assertThatThrownBy(() -> small.enter(writer("a", 4))).isInstanceOf(StaleTokenException.class);
    inside.close();
  }

  /** Where a downgrade keeps the token, what was sent before it is stale after it. */
  @Test
  void anExclusiveRequestFromBeforeADowngradeIsRefusedAlsoWhenItsLockIsForgotten() {
    FencingGuard small = FencingGuard.remembering(1);
    small.enter(writer("a", 5)).close();
    small.enter(reader("a", 5)).close();
    small.enter(writer("b", 9)).close();

    assertThatThrownBy(() -> small.enter(writer("a", 5))).isInstanceOf(StaleTokenException.class);
  }

  @Test
  void theLastHolderOfALockThatIsForgottenIsLetInAgain() {
    FencingGuard small = FencingGuard.remembering(1);
    small.enter(writer("a", 9)).close();
    small.enter(writer("b", 9)).close();

    small.enter(writer("a", 9)).close();
  }

  /** A lock that was forgotten may come back with another reader, before the stale one does. */
  @Test
  void aStaleReaderIsRefusedAlsoWhenItsLockWasForgottenAndSeenAgain() {
    FencingGuard small = FencingGuard.remembering(1);
    small.enter(writer("a", 10)).close();
    small.enter(writer("b", 11)).close();
    small.enter(reader("a", 20)).close();

    assertThatThrownBy(() -> small.enter(reader("a", 5)))
        .isInstanceOf(StaleTokenException.class)
        .hasMessageContaining("not remembered");
    assertThat(small.greatestExclusive(new LockName("a"))).isEmpty();
  }
}
