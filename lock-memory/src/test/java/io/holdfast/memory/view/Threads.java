package io.holdfast.memory.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Threads of one kind: each test runs on one of them, and starts others. */
final class Threads implements InvocationInterceptor {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Optional<ThreadFactory> factory;

  private Threads(Optional<ThreadFactory> factory) {
    this.factory = factory;
  }

  static Threads platform() {
    return new Threads(
        Optional.of(
            task -> {
              Thread thread = new Thread(task, "platform");
              thread.setDaemon(true);
              return thread;
            }));
  }

  /** Those of a JDK from 21 on; with an earlier one the tests are skipped. */
  static Threads virtual() {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> type = Class.forName("java.lang.Thread$Builder");
      Object named = type.getMethod("name", String.class).invoke(builder, "virtual");
      return new Threads(Optional.of((ThreadFactory) type.getMethod("factory").invoke(named)));
    } catch (ReflectiveOperationException none) {
      return new Threads(Optional.empty());
    }
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    assumeTrue(factory.isPresent(), "This JDK has no virtual threads.");
    Throwable[] thrown = new Throwable[1];
    start(
            () -> {
              try {
                invocation.proceed();
              } catch (Throwable e) {
                thrown[0] = e;
              }
            })
        .ends();
    if (thrown[0] != null) {
      throw thrown[0];
    }
  }

  /** What a thread does. */
  @FunctionalInterface
  interface Task {
    void run() throws Exception;
  }

  Running start(Task task) {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    Thread thread =
        factory
            .orElseThrow()
            .newThread(
                () -> {
                  try {
                    task.run();
                    end.complete(true);
                  } catch (Throwable e) {
                    end.completeExceptionally(e);
                  }
                });
    thread.start();
    return new Running(thread, end);
  }

  /** Does it on a thread of its own, and waits until it is done. */
  void elsewhere(Task task) {
    start(task).ends();
  }

  /**
   * A thread that was started.
   *
   * @param end with what its task has thrown
   */
  record Running(Thread thread, CompletableFuture<Boolean> end) {

    /** Returns once it waits for a lock. */
    Running waits() {
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  Arrays.stream(thread.getStackTrace())
                      .anyMatch(
                          frame -> frame.getClassName().equals(CompletableFuture.class.getName())));
      assertThat(end).isNotDone();
      return this;
    }

    Running interrupt() {
      thread.interrupt();
      return this;
    }

    /** Waits until it is done. */
    void ends() {
      assertThat(end.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join()).isTrue();
    }
  }
}
