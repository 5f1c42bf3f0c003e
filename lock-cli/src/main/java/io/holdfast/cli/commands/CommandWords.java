package io.holdfast.cli.commands;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The words before and after the "--" of a subcommand that runs a command. */
final class CommandWords {

  private CommandWords() {}

  /** Returns the command that the words are, or that a line is which was given in their place. */
  static List<String> of(CommandLine line, List<String> words, @Nullable String shellLine) {
    if (shellLine == null) {
      require(line, words);
      return words;
    }
    if (!words.isEmpty()) {
      throw new ParameterException(
          line,
          "there is more than the lock's name beside -c: give the command behind \"--\" or with -c: "
              + String.join(" ", words));
    }
    return RunRequest.shell(shellLine);
  }

  /**
   * Checks the words of {@code NAME -- COMMAND}: before "--" only the name and options may stand.
   * The name may also stand directly after "--".
   */
  static void require(CommandLine line, List<String> command) {
    List<String> words = line.getParseResult().originalArgs();
    if (!words.contains("--") || command.isEmpty()) {
      throw new ParameterException(
          line,
          "the command to run is missing: %s NAME -- COMMAND"
              .formatted(line.getCommandSpec().qualifiedName()));
    }
    int behind = words.size() - words.indexOf("--") - 1;
    if (command.size() > behind) {
      throw new ParameterException(
          line,
          "there is more than the lock's name before \"--\": "
              + String.join(" ", command.subList(0, command.size() - behind)));
    }
  }
}
