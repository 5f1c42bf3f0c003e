package io.holdfast.tck.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The states of processes as Linux tells them. */
final class ProcessState {

  /**
   * Stopped; or asleep in the kernel, whence it returns to be stopped: a shell that has just begun
   * a command sleeps so until the command begins, and for ever if that was stopped first.
   */
  private static final String STOPPED = "TD";

  private static final String GONE = "ZX";

  private ProcessState() {}

  /** Returns whether none of its threads runs. */
  static boolean isStopped(ProcessHandle process) {
    try (Stream<Path> tasks = Files.list(proc(process).resolve("task"))) {
      List<Path> threads = tasks.toList();
      return threads.stream()
          .map(ProcessState::letter)
          .allMatch(s -> STOPPED.indexOf(s) >= 0 || isGone(s));
    } catch (IOException e) {
      return true;
    }
  }

  /** Returns whether it is there and not merely waits for its parent to take notice of its end. */
  static boolean isRunning(ProcessHandle process) {
    return process.isAlive() && !isGone(letter(proc(process)));
  }

  private static Path proc(ProcessHandle process) {
    return Path.of("/proc", Long.toString(process.pid()));
  }

  private static boolean isGone(char letter) {
    return GONE.indexOf(letter) >= 0;
  }

  /** Reads it from a file {@code stat}, where it follows the name in parentheses. */
  private static char letter(Path directory) {
    try {
      String stat = Files.readString(directory.resolve("stat"), StandardCharsets.ISO_8859_1);
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return GONE.charAt(0);
    }
  }
}
