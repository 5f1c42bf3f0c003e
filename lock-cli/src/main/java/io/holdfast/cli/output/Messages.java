package io.holdfast.cli.output;

import io.holdfast.cli.run.LockedRun;
import java.io.PrintStream;
import java.util.stream.Collectors;

/**
 * Prints the command's own messages to standard error, each line with {@code holdfast:} in front.
 */
public final class Messages implements LockedRun.Reporter {

  private static final String BEGIN = "holdfast: ";

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

  /**
   * Prints an error. A text may quote what others have stored, or a store has answered: nothing of
   * it controls the terminal, and each of its lines is seen to be a message.
   */
  @Override
  public void error(String text) {
    // One write for all of it, so that the user's command cannot write into the middle of it.
    err.print(isPlain(text) ? BEGIN + text + "\n" : cleaned(text));
    err.flush();
  }

  /** As nearly all are: no class is loaded at the start of the command for those. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  private static String cleaned(String text) {
    return text.lines()
        .map(line -> BEGIN + LockView.clean(line) + "\n")
        .collect(Collectors.joining());
  }
}
