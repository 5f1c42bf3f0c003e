package io.holdfast.tck.process.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class ChildJvmTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path directory;

  /** Answers each line with the same, and ends with its input. */
  static final class Echo {
    public static void main(String[] arguments) throws IOException {
      System.out.println("pid " + ProcessHandle.current().pid());
      System.in.transferTo(System.out);
    }
  }

  /** Has a child that it pauses. */
  static final class Parent {
    public static void main(String[] arguments) throws InterruptedException {
      ActorReports reports = new ActorReports();
      try (ChildJvm child =
          ChildJvm.start(Echo.class, List.of(), Path.of(arguments[0]), reports::add)) {
        String pid = reports.await("pid", TIMEOUT, () -> {});
        child.pause();
        System.out.println("paused " + pid);
        TimeUnit.HOURS.sleep(1);
      }
    }
  }

  @Test
  void aPausedChildDoesNothingUntilItIsResumed() {
    ActorReports reports = new ActorReports();
    try (ChildJvm child = start(Echo.class, reports)) {
      // given
      reports.await("pid", TIMEOUT, () -> {});
      child.pause();

      // when
      child.send("hello");

      // then
      await().during(Duration.ofMillis(200)).until(() -> reports.find("hello").isEmpty());
      child.resume();
      reports.await("hello", TIMEOUT, () -> {});
    }
  }

  @Test
  void aPausedChildCanBeKilled() {
    ActorReports reports = new ActorReports();
    try (ChildJvm child = start(Echo.class, reports)) {
      reports.await("pid", TIMEOUT, () -> {});
      child.pause();

      child.kill();

      assertThat(child.isAlive()).isFalse();
    }
  }

  @Test
  void notEvenAPausedChildIsLeftBehindWhenItsParentIsKilled() {
    ActorReports reports = new ActorReports();
    try (ChildJvm parent = start(Parent.class, reports)) {
      // given
      long pid = Long.parseLong(reports.await("paused", TIMEOUT, () -> {}));
      ProcessHandle grandchild = ProcessHandle.of(pid).orElseThrow();

      // when
      parent.kill();

      // then
      await().atMost(TIMEOUT).until(() -> !grandchild.isAlive());
    }
  }

  @Test
  void whatAChildComplainsOfIsKept() {
    ActorReports reports = new ActorReports();
    try (ChildJvm child = start(String.class, reports)) {
      assertThat(child.awaitExit()).isNotZero();
      assertThat(child.complaints()).contains("java.lang.String");
    }
  }

  private ChildJvm start(Class<?> main, ActorReports reports) {
    Path complaints = directory.resolve(main.getSimpleName() + ".err");
    return ChildJvm.start(
        main, List.of(directory.resolve("grandchild.err").toString()), complaints, reports::add);
  }
}
