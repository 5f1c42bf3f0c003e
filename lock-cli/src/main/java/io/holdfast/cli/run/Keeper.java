package io.holdfast.cli.run;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A small process that kills the command's group if this process dies, or if it is stopped until
 * the lease ends; see {@code keeper.bash}. Not thread-safe.
 */
final class Keeper {

  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(5);

  private final Process process;
  private final OutputStream pipe;
  private long untilMillis;
  private OptionalLong group = OptionalLong.empty();
  private boolean unstarted;

  private Keeper(Process process) {
    this.process = process;
    this.pipe = process.getOutputStream();
  }

  /**
   * Starts a keeper that kills the group at the given time, unless it is given another time before.
   */
  static Keeper start(long untilMillis) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("setsid", "bash", "-c", Script.named("keeper.bash"), "keeper");
    builder.redirectError(Redirect.DISCARD);
    // The keeper keeps no file or directory of this process busy, and reads no start-up file of the
    // user.
    builder.directory(Path.of("/").toFile());
    builder.environment().keySet().retainAll(Set.of("PATH"));
    Keeper keeper = new Keeper(builder.start());
    keeper.until(untilMillis);
    return keeper;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Tells when the keeper is to kill the group, in milliseconds since the machine started. */
  void until(long millis) {
    if (millis != untilMillis) {
      untilMillis = millis;
      tell("until " + millis / 10);
    }
  }

  /** Returns the group that its first process has reported to this keeper; empty until then. */
  OptionalLong group() {
    readAnswers();
    return group;
  }

  /**
   * Returns whether the group's first process has reported that the command could not be executed;
   * to be called after {@link #dismiss}. A report that does not come in time counts as none.
   */
  boolean wasToldUnstarted() {
    try {
      // It has read what came before its dismissal, so with its end all answers are there.
      boolean unused = process.waitFor(ANSWERS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    readAnswers();
    return unstarted;
  }

  private void readAnswers() {
    try {
      // A line is written at once and is short, so either all of it is there or nothing.
      int length = process.getInputStream().available();
      String lines = new String(process.getInputStream().readNBytes(length), US_ASCII);
      lines.lines().forEach(this::answered);
    } catch (IOException e) {
      // The keeper has ended; its replacement is given the group that is known.
    }
  }

  private void answered(String line) {
    if (line.equals("unstarted")) {
      unstarted = true;
    } else {
      group = OptionalLong.of(Long.parseLong(line));
    }
  }

  /** Tells this keeper the group, which its first process has reported to an earlier keeper. */
  void group(long known) {
    tell("group " + known);
  }

  /** Ends the keeper without killing the group. */
  void dismiss() {
    tell("done");
    close();
  }

  /** Makes the keeper kill the group at once. */
  void close() {
    try {
      pipe.close();
    } catch (IOException e) {
      // It is gone already, which isAlive() tells.
    }
  }

  private void tell(String line) {
    try {
      // One write, since the group's first process writes into the same pipe.
      pipe.write((line + '\n').getBytes(US_ASCII));
      pipe.flush();
    } catch (IOException e) {
      // It is gone, which isAlive() tells.
    }
  }
}
