package io.holdfast.cli.commands;

import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.SharedOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code holdfast} command itself, and the list of its subcommands. */
@Command(
    name = "holdfast",
    description = "Run commands one at a time, across processes and machines.",
    versionProvider = SharedOptions.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "'holdfast COMMAND --help' describes each command."})
public final class HoldfastCommand implements Runnable {

  @Mixin SharedOptions shared = new SharedOptions();
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a COMMAND is needed");
  }

  /**
   * Returns the command with all its subcommands, or with the named one alone for the subcommands
   * that must start quickly: picocli takes time to read the annotations of each.
   */
  public static CommandLine commandLine(Surroundings surroundings, String first) {
    CommandLine line = new CommandLine(new HoldfastCommand());
    switch (first) {
      case "run" -> line.addSubcommand(new RunCommand(surroundings));
      case "elect" -> line.addSubcommand(new ElectCommand(surroundings));
      case "list" -> line.addSubcommand(new ListCommand(surroundings));
      case "inspect" -> line.addSubcommand(new InspectCommand(surroundings));
      default -> {
        line.addSubcommand(new RunCommand(surroundings));
        line.addSubcommand(new ElectCommand(surroundings));
        line.addSubcommand(new ListCommand(surroundings));
        line.addSubcommand(new InspectCommand(surroundings));
        line.addSubcommand(new WatchCommand(surroundings));
        line.addSubcommand(new DeadlocksCommand(surroundings));
        line.addSubcommand(new BreakCommand(surroundings));
        line.addSubcommand(new BackendsCommand(surroundings));
        line.addSubcommand(new DdlCommand(surroundings));
        line.addSubcommand(new RetireCommand(surroundings));
        line.addSubcommand(new CompletionCommand(surroundings));
      }
    }
    return line;
  }
}
