package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.holdfast.engine.Seam.Lane;
import io.holdfast.spi.BackendFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ThreadedSeamTest {

  private final ThreadedSeam seam = new ThreadedSeam();
  private final CountDownLatch answers = new CountDownLatch(1);

  @AfterEach
  void close() {
    answers.countDown();
    seam.close();
  }

  private <T> CompletableFuture<T> call(Lane lane, Duration timeout, Seam.Verb<T> verb) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    seam.call(lane, timeout, verb, answer::complete, answer::completeExceptionally);
    return answer;
  }

  private String hang(CountDownLatch hanging) {
    hanging.countDown();
    try {
      answers.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "late";
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatDiesOfAnErrorIsAnsweredLikeOneThatFailed(Lane lane) {
    CompletableFuture<String> answer =
        call(
            lane,
            Duration.ofSeconds(60),
            deadline -> {
              throw new NoClassDefFoundError("a class of the driver");
            });
    assertThat(answer)
        .failsWithin(30, TimeUnit.SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(IllegalStateException.class)
        .withMessageContaining("a class of the driver");
  }

  @Test
  void heartbeatsGoOnWhileAsManyOtherCallsHangAsMay() throws Exception {
    CountDownLatch hanging = new CountDownLatch(ThreadedSeam.HANGING_MAX);
    for (int i = 0; i < ThreadedSeam.HANGING_MAX; i++) {
      // A thread of the application's own, in a call that does not keep its deadline.
      Thread caller =
          new Thread(() -> call(Lane.CALLER, Duration.ZERO, deadline -> hang(hanging)).join());
      caller.setDaemon(true);
      caller.start();
    }
    assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(call(Lane.CALLER, Duration.ofSeconds(60), d -> "in time"))
        .failsWithin(30, TimeUnit.SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(BackendFailure.class);
    assertThat(call(Lane.HEARTBEAT, Duration.ofSeconds(60), d -> "in time"))
        .succeedsWithin(30, TimeUnit.SECONDS)
        .isEqualTo("in time");
  }

  @Test
  void aListenerThatFailsAfterClosingFailsNobodyElse() {
    seam.close();
    assertThatCode(
            () ->
                seam.tell(
                    "listener",
                    () -> {
                      throw new IllegalStateException("from a listener");
                    }))
        .doesNotThrowAnyException();
  }
}
