package io.holdfast.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command without a subcommand, and the list of those there are. */
@Command(
    name = "holdfast",
    description = "Run commands one at a time, across processes and machines.",
    versionProvider = SharedOptions.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "'holdfast COMMAND --help' tells more about each."})
final class HoldfastCommand implements Runnable {

  @Mixin SharedOptions shared = new SharedOptions();
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a COMMAND is needed");
  }

  /**
   * Returns the command with its subcommands, or with the named one alone: reading the annotations
   * of each takes time that a caller of {@code run} should not wait for.
   */
  static CommandLine commandLine(Surroundings surroundings, String first) {
    CommandLine line = new CommandLine(new HoldfastCommand());
    switch (first) {
      case "run" -> line.addSubcommand(new RunCommand(surroundings));
      case "list" -> line.addSubcommand(new ListCommand(surroundings));
      case "inspect" -> line.addSubcommand(new InspectCommand(surroundings));
      default -> {
        line.addSubcommand(new RunCommand(surroundings));
        line.addSubcommand(new ListCommand(surroundings));
        line.addSubcommand(new InspectCommand(surroundings));
        line.addSubcommand(new BreakCommand(surroundings));
        line.addSubcommand(new BackendsCommand(surroundings));
        line.addSubcommand(new DdlCommand(surroundings));
        line.addSubcommand(new CompletionCommand(surroundings));
      }
    }
    return line;
  }
}
