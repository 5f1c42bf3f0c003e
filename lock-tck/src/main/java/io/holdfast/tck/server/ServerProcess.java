package io.holdfast.tck.server;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * One run of a server: a process with its children. Used by one thread at a time.
 *
 * <p>A server does not notice that the JVM which started it has died. So a keeper, a few lines of
 * shell, waits for the end of its own input, which comes when the JVM ends, and kills the server. A
 * JVM that still can kills it before, and deletes the files of a {@link StoreServer}.
 */
public final class ServerProcess implements AutoCloseable {

  private static final Duration WITHIN = Duration.ofSeconds(60);
  private static final Duration OFTEN = Duration.ofMillis(5);

  /**
   * {@code $1} is the server. A stopped server goes on at the end, to see that it is alone. An
   * interrupt of the tests at a terminal interrupts the keeper too, which has to outlive them.
   */
  private static final String KEEPER =
      """
      trap '' HUP INT TERM
      stopped=
      while read -r verb pids; do
        case $verb in
          stop) stopped="$stopped $pids" && kill -STOP $pids ;;
          go) kill -CONT $stopped; stopped= ;;
          leave) exit ;;
        esac
        echo "$verb"
      done
      kill -s KILL -- "-$1"
      kill -CONT $stopped""";

  private final Process process;
  private final Process keeper;
  private final Writer orders;
  private final BufferedReader done;
  private final Path log;

  private ServerProcess(Process process, Process keeper, Path log) {
    this.process = process;
    this.keeper = keeper;
    this.orders = keeper.outputWriter(StandardCharsets.UTF_8);
    this.done =
        new BufferedReader(new InputStreamReader(keeper.getInputStream(), StandardCharsets.UTF_8));
    this.log = log;
  }

  /**
   * Starts a server.
   *
   * @param log the file to which it prints
   */
  public static ServerProcess start(List<String> command, Path log) {
    return start(command, log, Map.of());
  }

  /**
   * Starts a server.
   *
   * @param log the file to which it prints
   * @param environment variables that it gets besides those of this process
   */
  public static ServerProcess start(
      List<String> command, Path log, Map<String, String> environment) {
    try {
      // In a process group of its own, by which its keeper finds its children too.
      List<String> apart = new ArrayList<>(List.of("setsid"));
      apart.addAll(command);
      ProcessBuilder builder =
          new ProcessBuilder(apart)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.appendTo(log.toFile()))
              .redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
      builder.environment().putAll(environment);
      Process process = builder.start();
      List<String> keeper =
          List.of("/bin/sh", "-c", KEEPER, "keeper", Long.toString(process.pid()));
      ServerProcess started =
          new ServerProcess(
              process, new ProcessBuilder(keeper).redirectError(Redirect.DISCARD).start(), log);
      Leftovers.add(started);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns a port of 127.0.0.1 on which nothing listens. The port belongs to this JVM until the
   * JVM ends, also while the server restarts: no other JVM gets it, and no connection does.
   */
  public static int freePort() {
    return Ports.choose();
  }

  /**
   * Returns when the server is ready.
   *
   * @throws IllegalStateException with its output, if it ends before
   */
  public void awaitReady(BooleanSupplier ready) {
    await("the server to be ready")
        .atMost(WITHIN)
        .pollInterval(OFTEN)
        .until(
            () -> {
              if (!process.isAlive()) {
                throw new IllegalStateException("The server does not start: " + printed());
              }
              return ready.getAsBoolean();
            });
  }

  /** Returns the output of the server so far. */
  public String printed() {
    try {
      return Files.readString(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether it runs, or is stopped. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Stops it and its children with SIGSTOP, and returns when none of their threads runs. */
  public void pause() {
    // Parents first: they make no further children then. Those made just before are found by
    // looking again.
    Set<ProcessHandle> stopped = new HashSet<>();
    List<ProcessHandle> found = List.of(process.toHandle());
    while (!found.isEmpty()) {
      stop(found);
      stopped.addAll(found);
      found = process.descendants().filter(child -> !stopped.contains(child)).toList();
    }
  }

  private void stop(List<ProcessHandle> all) {
    order("stop " + all.stream().map(p -> Long.toString(p.pid())).collect(Collectors.joining(" ")));
    await("the server to stop")
        .atMost(WITHIN)
        .pollInterval(OFTEN)
        .until(() -> all.stream().allMatch(ProcessState::isStopped));
  }

  /** Lets it and its children run again with SIGCONT. */
  public void resume() {
    order("go");
  }

  /** Kills it and its children with SIGKILL, and returns when they are gone. */
  public void kill() {
    List<ProcessHandle> all = new ArrayList<>(List.of(process.toHandle()));
    process.descendants().forEach(all::add);
    all.forEach(ProcessHandle::destroyForcibly);
    awaitEnd();
    await("the server's children to be gone")
        .atMost(WITHIN)
        .pollInterval(OFTEN)
        .until(() -> all.stream().noneMatch(ProcessState::isRunning));
  }

  /** Sends it a signal on which it shuts down, and returns when it has ended. */
  public void end(String signal) {
    try {
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    awaitEnd();
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(WITHIN.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("The server does not end: " + printed());
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private void order(String line) {
    try {
      orders.write(line + '\n');
      orders.flush();
      if (!line.equals("leave") && done.readLine() == null) {
        throw new IllegalStateException("The server's keeper is gone.");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("Interrupted while waiting for a server", e);
  }

  /** Kills it if it is still there. */
  @Override
  public void close() {
    if (!keeper.isAlive()) {
      return;
    }
    kill();
    Leftovers.forget(this);
    order("leave");
    try {
      keeper.waitFor(WITHIN.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }
}
