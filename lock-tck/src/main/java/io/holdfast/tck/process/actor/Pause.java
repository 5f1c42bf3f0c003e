package io.holdfast.tck.process.actor;

import static org.awaitility.Awaitility.await;

import io.holdfast.tck.report.NotProvedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Keeps a process stopped until it is closed.
 *
 * <p>A stopped process cannot see that its parent has died. So a keeper of one line of shell stops
 * it, waits for the end of its own input, which comes also when this JVM is killed, and lets it run
 * again.
 */
final class Pause implements AutoCloseable {

  private static final Path THREADS = Path.of("/proc/self/task");

  private static final String KEEPER =
      "kill -STOP \"$1\" && echo stopped && read -r end; kill -CONT \"$1\"";

  private final Process keeper;

  private Pause(Process keeper) {
    this.keeper = keeper;
  }

  /**
   * Stops a process and returns when none of its threads runs.
   *
   * @throws NotProvedException where no process can be seen to stand still
   */
  static Pause of(long pid, Duration within) {
    if (!Files.isDirectory(THREADS)) {
      throw new NotProvedException(
          "Needs Linux: there is no " + THREADS + ", by which a process is seen to stand still.");
    }
    try {
      Process keeper =
          new ProcessBuilder("/bin/sh", "-c", KEEPER, "keeper", Long.toString(pid)).start();
      Pause pause = new Pause(keeper);
      try {
        pause.awaitStopped(pid, within);
        return pause;
      } catch (IOException | RuntimeException e) {
        pause.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitStopped(long pid, Duration within) throws IOException {
    BufferedReader answer =
        new BufferedReader(new InputStreamReader(keeper.getInputStream(), StandardCharsets.UTF_8));
    if (!"stopped".equals(answer.readLine())) {
      throw new IllegalStateException("Process %s could not be stopped.".formatted(pid));
    }
    // The signal is sent, but threads stop one by one, and some may still end meanwhile.
    await("threads of %s to stop".formatted(pid))
        .atMost(within)
        .pollInterval(Duration.ofMillis(1))
        .ignoreExceptionsInstanceOf(UncheckedIOException.class)
        .until(() -> threadStates(pid).allMatch(state -> state == 'T'));
  }

  /** Lets the process run again. */
  @Override
  public void close() {
    try {
      keeper.getOutputStream().close();
      keeper.waitFor(30, TimeUnit.SECONDS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Stream<Character> threadStates(long pid) throws IOException {
    try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      List<Path> threads = tasks.toList();
      return threads.stream().map(Pause::state);
    }
  }

  /** Reads the state from {@code /proc/…/stat}, where it follows the name in parentheses. */
  private static char state(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
