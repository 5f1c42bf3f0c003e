package io.holdfast.cli;

import io.holdfast.cli.run.LockedRun;
import java.io.PrintStream;

/** What the tool says about itself: on standard error, each line with the tool's name in front. */
final class Messages implements LockedRun.Reporter {

  private final PrintStream err;
  private final boolean quiet;

  Messages(PrintStream err, boolean quiet) {
    this.err = err;
    this.quiet = quiet;
  }

  /** Says what is good to know, unless asked to be quiet. */
  @Override
  public void note(String text) {
    if (!quiet) {
      error(text);
    }
  }

  /** Says what went wrong. */
  @Override
  public void error(String text) {
    // One write for the line, so that the command's own output does not get into it.
    err.print("holdfast: " + text + "\n");
    err.flush();
  }
}
