package io.holdfast.cli.output;

import io.holdfast.cli.environment.Surroundings;
import java.util.Optional;

/** Tells the user why a subcommand failed, where, and what to do. */
public final class Failures {

  private final Surroundings surroundings;
  private final String command;
  private final boolean quiet;

  /**
   * Prepares for the failures of one subcommand.
   *
   * @param command as it is called: {@code holdfast run}
   * @param quiet whether the user wants to hear of errors alone
   */
  public Failures(Surroundings surroundings, String command, boolean quiet) {
    this.surroundings = surroundings;
    this.command = command;
    this.quiet = quiet;
  }

  /** Reports the failure at a store, if one was chosen yet, and returns the exit code. */
  public int report(Exception e, Optional<String> place) {
    int code = ExitCode.of(e);
    Messages messages = new Messages(surroundings.err(), code == ExitCode.TRY_AGAIN && quiet);
    messages.note(
        code == ExitCode.INTERNAL ? "internal error: " + e : String.valueOf(e.getMessage()));
    place.ifPresent(at -> messages.note("at: " + at));
    Advice.on(e, command).ifPresent(advice -> messages.note("to do: " + advice));
    if (surroundings.environment().containsKey("HOLDFAST_DEBUG")) {
      e.printStackTrace(surroundings.err());
    }
    return code;
  }
}
