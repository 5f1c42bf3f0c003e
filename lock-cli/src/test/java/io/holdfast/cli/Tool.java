package io.holdfast.cli;

import static io.holdfast.cli.run.Commands.TIMEOUT;
import static io.holdfast.cli.run.Commands.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The tool as a user has it: processes of a distribution, in a directory of a test's own. */
final class Tool implements AutoCloseable {

  private final Path distribution;
  private final Path directory;
  private final List<Run> runs = new ArrayList<>();

  /** One run of it. */
  record Run(Process process, Path outFile, Path errFile) {

    String out() {
      return text(outFile);
    }

    String err() {
      return text(errFile);
    }

    long pid() {
      return process.pid();
    }

    /** Waits for the end and returns the exit code. */
    int exitCode() throws InterruptedException {
      if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("still running: " + err());
      }
      return process.exitValue();
    }

    /** Sends a signal to the tool alone. */
    void signal(String name) throws Exception {
      new ProcessBuilder("sh", "-c", "kill -s " + name + " " + pid()).start().waitFor();
    }
  }

  Tool(Path distribution, Path directory) {
    this.distribution = distribution;
    this.directory = directory;
  }

  /** Returns what the build has assembled. */
  static Path built() {
    return Path.of(System.getProperty("holdfast.distribution"));
  }

  Run start(String... arguments) throws IOException {
    return start(List.of(), arguments);
  }

  /** Starts the tool with variables, {@code NAME=value} each, or a name alone that is unset. */
  Run start(List<String> variables, String... arguments) throws IOException {
    return start(List.of(), variables, arguments);
  }

  /**
   * Starts a shell that runs the tool so many times, one after the other, whatever becomes of it.
   */
  Run startLoop(int times, String... arguments) throws IOException {
    String loop = "i=0; while [ $i -lt " + times + " ]; do i=$((i + 1)); \"$@\"; done";
    return start(List.of("sh", "-c", loop, "loop"), List.of(), arguments);
  }

  private Run start(List<String> wrapper, List<String> variables, String... arguments)
      throws IOException {
    List<String> words = new ArrayList<>(wrapper);
    words.add(distribution.resolve("bin/holdfast").toString());
    words.addAll(List.of(arguments));
    Path out = Files.createTempFile(directory, "out", "");
    Path err = Files.createTempFile(directory, "err", "");
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("HOLDFAST_BACKEND", "jdbc:sqlite:" + directory.resolve("locks.db"));
    for (String variable : variables) {
      int equals = variable.indexOf('=');
      if (equals < 0) {
        builder.environment().remove(variable);
      } else {
        builder.environment().put(variable.substring(0, equals), variable.substring(equals + 1));
      }
    }
    Run run = new Run(builder.start(), out, err);
    runs.add(run);
    return run;
  }

  /** Runs the tool to its end. */
  Run run(String... arguments) throws Exception {
    Run run = start(arguments);
    run.exitCode();
    return run;
  }

  /** Kills what still runs; the keepers do the rest. */
  @Override
  public void close() {
    runs.forEach(run -> run.process().destroyForcibly());
  }
}
