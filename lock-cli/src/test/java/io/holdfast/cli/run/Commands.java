package io.holdfast.cli.run;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Commands of tests, and what they leave in files. */
public final class Commands {

  /** How long anything may take that is expected to happen. */
  public static final Duration TIMEOUT = Duration.ofMinutes(5);

  private Commands() {}

  /**
   * Returns a shell command; what it prints must go to files, since it has our standard output. It
   * can trap signals also where the tests were started with some of them ignored.
   *
   * <p>Not {@code sh}, which is dash on Debian and starts programs by vfork: a stop that comes
   * before the child has become its program stops the child alone, and its parent, which waits for
   * that, is neither stopped nor does it run.
   */
  public static List<String> bash(String script) {
    return List.of("env", "--default-signal=HUP,INT,TERM", "bash", "-c", script);
  }

  /** Waits until a file has something in it and returns it. */
  public static String awaitText(Path file) {
    await().atMost(TIMEOUT).until(() -> isWritten(file));
    return text(file);
  }

  /** Returns whether a file has something in it. */
  public static boolean isWritten(Path file) throws IOException {
    return Files.exists(file) && Files.size(file) > 0;
  }

  /** Returns what is in a file. */
  public static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until nothing of a process group runs. */
  public static void awaitGroupGone(long group) {
    await().atMost(TIMEOUT).until(() -> ProcessTable.membersOf(group).isEmpty());
  }
}
