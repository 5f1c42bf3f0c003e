package io.holdfast.jdbc.sqlite;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.jdbc.JdbcLockProvider;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many come at once to a file that is not there yet: all meet in one. */
class SqliteProcessesTest {

  private static final int TASKS = 8;

  @TempDir private Path directory;

  /** Connects, asks for the lock once, and says whether it was granted. */
  static final class Child {

    private Child() {}

    public static void main(String[] arguments) {
      System.exit(isGranted("jdbc:sqlite:" + arguments[0]) ? 10 : 11);
    }
  }

  /** Does not end its session, so that one at most is granted the lock. */
  private static boolean isGranted(String uri) {
    try (LockBackend backend =
        new JdbcLockProvider().connect(uri, BackendOptions.DEFAULTS, soon())) {
      SessionId session = session(backend);
      Request request = request(session, "a", IfHeld.REFUSE);
      return backend.grab(request, soon()) instanceof Attempt.Granted;
    }
  }

  @RepeatedTest(20)
  void threadsThatMakeTheFileTogetherMeetInIt() throws Exception {
    LockFile file = LockFile.in(directory);
    ExecutorService threads = Executors.newFixedThreadPool(TASKS);
    try {
      CyclicBarrier start = new CyclicBarrier(TASKS);
      Callable<Boolean> task =
          () -> {
            start.await(20, TimeUnit.SECONDS);
            return isGranted(file.uri());
          };
      List<Future<Boolean>> answers = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) {
        answers.add(threads.submit(task));
      }
      int granted = 0;
      for (Future<Boolean> answer : answers) {
        granted += answer.get(60, TimeUnit.SECONDS) ? 1 : 0;
      }

      assertThat(granted).isEqualTo(1);
      assertThat(file.number("SELECT count(*) FROM holdfast_sessions")).isEqualTo(TASKS);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void processesThatMakeTheFileTogetherMeetInIt() throws Exception {
    LockFile file = LockFile.in(directory);
    List<Process> children = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        children.add(start(file.path));
      }
      List<Integer> codes = new ArrayList<>();
      for (Process child : children) {
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        codes.add(child.exitValue());
      }

      assertThat(codes).containsOnly(10, 11).containsOnlyOnce(10);
      assertThat(file.number("SELECT count(*) FROM holdfast_sessions")).isEqualTo(4);
    } finally {
      children.forEach(Process::destroyForcibly);
    }
  }

  private static Process start(Path file) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName(),
            file.toString())
        .inheritIO()
        .start();
  }
}
