package io.holdfast.cli.commands;

import io.holdfast.cli.environment.Surroundings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A question at the terminal, before something is done that cannot be undone. */
record Confirmation(Surroundings surroundings) {

  /**
   * Checks that there is a terminal to answer on.
   *
   * @throws ParameterException if not
   */
  void requireTerminal(CommandLine line) {
    if (!surroundings.terminal()) {
      throw new ParameterException(
          line, "cannot ask for confirmation, because there is no terminal; use --yes to confirm");
    }
  }

  /** Asks, and returns whether the answer is yes. */
  boolean isGiven(String question) {
    surroundings.err().print(question + " [y/N] ");
    surroundings.err().flush();
    try {
      String answer =
          new BufferedReader(new InputStreamReader(surroundings.in(), Charset.defaultCharset()))
              .readLine();
      return answer != null
          && (answer.strip().equalsIgnoreCase("y") || answer.strip().equalsIgnoreCase("yes"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
