package io.holdfast.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.error.ClientClosedException;
import io.holdfast.record.LockRecord;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Closing a client. */
@Topic(value = "CLO", level = Level.CORE, clause = "LockClient.close")
public interface CloseRules extends ClientFixture {

  @Test
  @Rule("HF-CLO-01")
  default void closingFreesEverythingAtOnce() {
    TestClient one = client();
    Grant a = one.hold("a");
    one.hold("b");
    TestClient two = client();
    one.client().close();
    assertThat(a.isHeld()).as("isHeld() of the grant of %s", a.name()).isFalse();
    // At once: the leases of the first client would have run for many seconds.
    assertThat(two.attempt("a")).isPresent();
    assertThat(two.attempt("b")).isPresent();
    assertThatThrownBy(() -> one.attempt("a")).isInstanceOf(ClientClosedException.class);
  }

  @Test
  @Rule("HF-CLO-02")
  default void closingEndsWaitsAndTakesThemOutOfTheQueue() {
    TestClient holder = client();
    Grant held = holder.hold(NAME);
    TestClient one = client();
    Waiting waiting = one.waitFor(NAME, longWait());
    await()
        .atMost(longWait())
        .until(() -> holder.client().find(NAME).orElseThrow().waiters().size() == 1);
    one.client().close();
    assertThatThrownBy(waiting::grant).hasCauseInstanceOf(ClientClosedException.class);
    assertThat(holder.client().find(NAME).orElseThrow().waiters()).isEmpty();
    held.release();
    assertThat(holder.client().list("")).extracting(LockRecord::name).isEmpty();
  }

  @Test
  @Rule("HF-CLO-05")
  default void everyWaiterGetsAnExceptionOfItsOwn() {
    client().hold(NAME);
    TestClient one = client();
    List<Waiting> waiters = Stream.generate(() -> one.waitFor(NAME, longWait())).limit(10).toList();
    await().atMost(longWait()).until(() -> one.count(Verb.GRAB) == 1);
    one.client().close();
    List<Throwable> told = new ArrayList<>();
    for (Waiting waiter : waiters) {
      Throwable thrown = catchThrowable(waiter::grant);
      assertThat(thrown).hasCauseInstanceOf(ClientClosedException.class);
      told.add(thrown.getCause());
    }
    assertThat(told).doesNotHaveDuplicates();
    assertThat(told).allSatisfy(each -> assertThat(each.getSuppressed()).isEmpty());
  }

  @Test
  @Rule("HF-CLO-03")
  default void closingReturnsAlsoIfTheStoreDoesNotAnswer() {
    TestClient one = client();
    Grant grant = one.hold(NAME);
    one.faults().always(Fault.callLost());
    one.client().close();
    assertThat(grant.isHeld()).as("isHeld() of the grant of %s", grant.name()).isFalse();
  }

  /** In a thread group of its own, as other rules have threads too. */
  @Test
  @Rule("HF-CLO-04")
  default void noThreadIsLeftAfterClosing() throws InterruptedException {
    ThreadGroup group = new ThreadGroup("closed");
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread user = new Thread(group, this::openHoldAndClose, "user");
    user.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
    user.start();
    user.join();
    assertThat(failure.get()).isNull();
    await().atMost(longWait()).untilAsserted(() -> assertThat(threadsOf(group)).isEmpty());
  }

  private void openHoldAndClose() {
    TestClient one = client(SHORT_TTL);
    one.hold(NAME);
    one.client().close();
  }

  private static Set<Thread> threadsOf(ThreadGroup group) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getThreadGroup() == group)
        .filter(thread -> thread.getName().startsWith("holdfast-"))
        .collect(Collectors.toSet());
  }
}
