package io.holdfast.jdbc.connections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What hangs on one of a backend's threads holds up nothing else. */
class BackendThreadsTest {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(20);

  private static final int LOGINS = 32;

  private final CompletableFuture<Void> answer = new CompletableFuture<>();
  private final BackendThreads threads = new BackendThreads();

  @AfterEach
  void stop() {
    answer.complete(null);
    threads.close();
  }

  @Test
  void aDeadlineIsKeptWhileLoginsAndTheEndOfAnotherCallHang() {
    for (int i = 0; i < LOGINS; i++) {
      threads.execute(answer::join);
    }
    threads.start(Deadline.in(SHORT), answer::join);
    CompletableFuture<Void> ended = new CompletableFuture<>();
    threads.start(Deadline.in(SHORT.multipliedBy(2)), () -> ended.complete(null));

    assertThat(ended).succeedsWithin(WAIT_MAX);
  }

  /** Heartbeats connect on these threads, too. */
  @Test
  void aLoginFindsAThreadWhileManyHang() {
    for (int i = 0; i <= LOGINS; i++) {
      threads.execute(answer::join);
    }
    CompletableFuture<String> done = new CompletableFuture<>();

    threads.execute(() -> done.complete(Thread.currentThread().getName()));

    assertThat(done).succeedsWithin(WAIT_MAX);
    assertThat(done.join()).startsWith(threads.name());
  }

  @Test
  void aCallIsEndedAlsoAfterThisIsClosed() {
    CompletableFuture<String> ended = new CompletableFuture<>();
    threads.start(Deadline.in(SHORT), () -> ended.complete(Thread.currentThread().getName()));

    threads.close();

    assertThat(ended).succeedsWithin(WAIT_MAX);
    assertThat(ended.join()).startsWith(threads.name());
  }

  @Test
  void nothingRunsInTheCallerAlsoAfterThisIsClosed() {
    threads.close();

    assertThatThrownBy(() -> threads.execute(answer::join))
        .isInstanceOf(BackendFailure.class)
        .hasMessageContaining("closed");
  }
}
