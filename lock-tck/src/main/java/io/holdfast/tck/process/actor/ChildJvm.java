package io.holdfast.tck.process.actor;

import io.holdfast.tck.server.ShortLivedJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM like this one, with the same class path, that can be killed and paused. Its output is
 * handed on line by line, the first when it is ready; its errors go to a file.
 */
final class ChildJvm implements AutoCloseable {

  private static final Duration END_WITHIN = Duration.ofSeconds(90);

  private final Process process;
  private final Path complaints;
  private final Writer input;
  private Optional<Pause> pause = Optional.empty();

  private ChildJvm(Process process, Path complaints) {
    this.process = process;
    this.complaints = complaints;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
  }

  static ChildJvm start(
      Class<?> main, List<String> arguments, Path complaints, Consumer<String> output) {
    return start(main, arguments, Map.of(), complaints, output);
  }

  /** Starts one that is given more environment variables than those of this process. */
  static ChildJvm start(
      Class<?> main,
      List<String> arguments,
      Map<String, String> environment,
      Path complaints,
      Consumer<String> output) {
    ClassArchive.Use archive = ClassArchive.OF_CHILDREN.next();
    List<String> options = new ArrayList<>(archive.options());
    options.add("-Xmx128m");
    List<String> command = ShortLivedJvm.command(main.getName(), options.toArray(String[]::new));
    command.addAll(arguments);
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(complaints.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      archive.begun(process);
      Thread reader =
          new Thread(() -> readLines(process, archive, output), "output-of-" + process.pid());
      reader.setDaemon(true);
      reader.start();
      return new ChildJvm(process, complaints);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Writes a line to its standard input. */
  void send(String line) {
    try {
      input.write(line + '\n');
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("The child does not listen. It said: " + complaints(), e);
    }
  }

  /** Returns what it has written to its standard error so far. */
  String complaints() {
    try {
      return Files.readString(complaints, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills it with SIGKILL and returns when it is gone. */
  void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** Stops it with SIGSTOP and returns when none of its threads runs. */
  void pause() {
    pause = Optional.of(Pause.of(process.pid(), END_WITHIN));
  }

  /** Lets it run again with SIGCONT. */
  void resume() {
    pause.ifPresent(Pause::close);
    pause = Optional.empty();
  }

  /** Waits for it to end by itself and returns its exit code. */
  int awaitExit() {
    try {
      if (!process.waitFor(END_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("Child %s does not end.".formatted(process.pid()));
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for a child", e);
    }
  }

  @Override
  public void close() {
    resume();
    kill();
  }

  private static void readLines(
      Process process, ClassArchive.Use archive, Consumer<String> output) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      Optional.ofNullable(reader.readLine())
          .ifPresent(
              first -> {
                output.accept(first);
                archive.ready();
              });
      reader.lines().forEach(output);
    } catch (IOException | UncheckedIOException e) {
      // The stream broke because the child was killed; no thread waits for more.
      output.accept("output ended: " + e);
    }
  }
}
