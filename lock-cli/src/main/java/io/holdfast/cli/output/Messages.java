package io.holdfast.cli.output;

import io.holdfast.cli.run.LockedRun;
import java.io.PrintStream;

/**
 * Prints the command's own messages to standard error, each line with {@code holdfast:} in front.
 */
public final class Messages implements LockedRun.Reporter {

  private final PrintStream err;
  private final boolean quiet;

  public Messages(PrintStream err, boolean quiet) {
    this.err = err;
    this.quiet = quiet;
  }

  /** Prints a note, unless the command is quiet. */
  @Override
  public void note(String text) {
    if (!quiet) {
      error(text);
    }
  }

  /** Prints an error. */
  @Override
  public void error(String text) {
    // One write for the whole line, so that the user's command cannot write into the middle of it.
    err.print("holdfast: " + text + "\n");
    err.flush();
  }
}
