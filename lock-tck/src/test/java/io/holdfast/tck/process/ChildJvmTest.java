package io.holdfast.tck.process;

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

  private static final Duration PATIENCE = Duration.ofSeconds(60);

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
      Lines lines = new Lines();
      try (ChildJvm child =
          ChildJvm.start(Echo.class, List.of(), Path.of(arguments[0]), lines::add)) {
        String pid = lines.await("pid", PATIENCE, () -> {});
        child.pause();
        System.out.println("paused " + pid);
        TimeUnit.HOURS.sleep(1);
      }
    }
  }

  @Test
  void aPausedChildDoesNothingUntilItIsResumed() {
    Lines lines = new Lines();
    try (ChildJvm child = start(Echo.class, lines)) {
      // given
      lines.await("pid", PATIENCE, () -> {});
      child.pause();

      // when
      child.send("hello");

      // then
      await().during(Duration.ofMillis(200)).until(() -> lines.find("hello").isEmpty());
      child.resume();
      lines.await("hello", PATIENCE, () -> {});
    }
  }

  @Test
  void aPausedChildCanBeKilled() {
    Lines lines = new Lines();
    try (ChildJvm child = start(Echo.class, lines)) {
      lines.await("pid", PATIENCE, () -> {});
      child.pause();

      child.kill();

      assertThat(child.isAlive()).isFalse();
    }
  }

  @Test
  void notEvenAPausedChildIsLeftBehindWhenItsParentIsKilled() {
    Lines lines = new Lines();
    try (ChildJvm parent = start(Parent.class, lines)) {
      // given
      long pid = Long.parseLong(lines.await("paused", PATIENCE, () -> {}));
      ProcessHandle grandchild = ProcessHandle.of(pid).orElseThrow();

      // when
      parent.kill();

      // then
      await().atMost(PATIENCE).until(() -> !grandchild.isAlive());
    }
  }

  @Test
  void whatAChildComplainsOfIsKept() {
    Lines lines = new Lines();
    try (ChildJvm child = start(String.class, lines)) {
      assertThat(child.awaitExit()).isNotZero();
      assertThat(child.complaints()).contains("java.lang.String");
    }
  }

  private ChildJvm start(Class<?> main, Lines lines) {
    Path complaints = directory.resolve(main.getSimpleName() + ".err");
    return ChildJvm.start(
        main, List.of(directory.resolve("grandchild.err").toString()), complaints, lines::add);
  }
}
