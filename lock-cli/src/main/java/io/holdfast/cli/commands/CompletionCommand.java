package io.holdfast.cli.commands;

import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.SharedOptions;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a completion script for the shell. */
@Command(
    name = "completion",
    description = {
      "Print a completion script for bash and zsh.",
      "In ~/.bashrc or, after 'autoload bashcompinit && bashcompinit', in ~/.zshrc:",
      "  source <(holdfast completion)"
    },
    versionProvider = SharedOptions.Version.class)
final class CompletionCommand implements Runnable {

  private final Surroundings surroundings;

  @Mixin SharedOptions shared = new SharedOptions();
  @Spec private CommandSpec spec;

  CompletionCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public void run() {
    surroundings.out().print(AutoComplete.bash("holdfast", spec.root().commandLine()));
    surroundings.out().flush();
  }
}
