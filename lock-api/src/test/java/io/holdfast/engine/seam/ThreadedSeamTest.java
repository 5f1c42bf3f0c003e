package io.holdfast.engine.seam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.spi.BackendFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
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

  private <T> CompletableFuture<T> call(Runner runner, Duration timeout, Seam.Verb<T> verb) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    seam.call(runner, timeout, verb, answer::complete, answer::completeExceptionally);
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

  /** As code in Kotlin or Scala may, which does not check exceptions. */
  @Test
  void listenersThatThrowCheckedExceptionsCostNoThread() throws Exception {
    for (int i = 0; i < 2 * ThreadedSeam.LISTENERS_MAX; i++) {
      seam.tell(new Object(), () -> ThreadedSeamTest.<RuntimeException>throwUnchecked());
    }
    CountDownLatch told = new CountDownLatch(2);
    Object listener = new Object();
    seam.tell(listener, told::countDown);
    seam.tell(listener, told::countDown);

    assertThat(told.await(60, TimeUnit.SECONDS)).as("a listener is told").isTrue();
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> void throwUnchecked() throws E {
    throw (E) new IOException("the listener's");
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatDiesOfAnErrorIsAnsweredLikeOneThatFailed(Runner runner) {
    CompletableFuture<String> answer =
        call(
            runner,
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

  /** Languages without checked exceptions throw them unannounced. */
  @ParameterizedTest
  @EnumSource
  void aCallThatDiesOfACheckedExceptionIsAnsweredLikeOneThatFailed(Runner runner) {
    CompletableFuture<String> answer =
        call(
            runner,
            Duration.ofSeconds(60),
            deadline -> ThreadedSeamTest.<RuntimeException, String>unannounced());
    assertThat(answer)
        .failsWithin(30, TimeUnit.SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(IllegalStateException.class)
        .withMessageContaining("of a driver in another language");
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception, T> T unannounced() throws E {
    throw (E) new InterruptedException("of a driver in another language");
  }

  @Test
  void heartbeatsGoOnWhileAsManyOtherCallsHangAsMay() throws Exception {
    CountDownLatch hanging = new CountDownLatch(ThreadedSeam.HANGING_MAX);
    for (int i = 0; i < ThreadedSeam.HANGING_MAX; i++) {
      // A thread of the application's own, in a call that does not keep its deadline.
      Thread caller =
          new Thread(() -> call(Runner.CALLER, Duration.ZERO, deadline -> hang(hanging)).join());
      caller.setDaemon(true);
      caller.start();
    }
    assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(call(Runner.CALLER, Duration.ofSeconds(60), d -> "in time"))
        .failsWithin(30, TimeUnit.SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(BackendFailure.class);
    assertThat(call(Runner.HEARTBEAT, Duration.ofSeconds(60), d -> "in time"))
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

  /** Else a future of an asynchronous acquire would never end. */
  @Test
  void whatFoundNoThreadIsToldWhenTheSeamIsClosed() {
    ThreadedSeam withoutListeners = new ThreadedSeam(ThreadedSeamTest::unlessForListeners);
    List<String> told = new CopyOnWriteArrayList<>();
    withoutListeners.tell("one", () -> told.add("first"));
    withoutListeners.tell("one", () -> told.add("second"));
    withoutListeners.tell("another", () -> told.add("third"));
    withoutListeners.close();
    assertThat(told).containsExactlyInAnyOrder("first", "second", "third");
  }

  /** Fails as a thread does for which the operating system has no room. */
  private static Thread unlessForListeners(Runnable task) {
    return new Thread(task) {
      @Override
      public synchronized void start() {
        if (getName().endsWith("listener")) {
          throw new OutOfMemoryError("unable to create native thread (test)");
        }
        super.start();
      }
    };
  }
}
