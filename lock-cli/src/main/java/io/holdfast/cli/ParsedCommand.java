package io.holdfast.cli;

import io.holdfast.cli.commands.HoldfastCommand;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.UsesStore;
import io.holdfast.cli.output.ExitCode;
import io.holdfast.cli.output.Failures;
import io.holdfast.cli.output.Messages;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Reads any arguments, by picocli, and runs the subcommand that they name. */
final class ParsedCommand {

  private ParsedCommand() {}

  /** Returns the exit code. */
  static int run(Surroundings surroundings, String... args) {
    CommandLine line = HoldfastCommand.commandLine(surroundings, args.length == 0 ? "" : args[0]);
    // An argument of the user's command that begins with @ does not name a file of arguments.
    line.setExpandAtFiles(false);
    line.setOut(new PrintWriter(surroundings.out(), true, Charset.defaultCharset()));
    line.setErr(new PrintWriter(surroundings.err(), true, Charset.defaultCharset()));
    line.setParameterExceptionHandler((e, arguments) -> badUsage(surroundings, e));
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(surroundings, e, parsed));
    int code = line.execute(args);
    return surroundings.out().checkError() ? notWritten(surroundings, code) : code;
  }

  /** A result of which a part is missing must not look like success. */
  private static int notWritten(Surroundings surroundings, int code) {
    if (code > ExitCode.NO) {
      return code;
    }
    if (surroundings.piped()) {
      return ExitCode.NO_READER; // As of "holdfast list | head -1", which is no error.
    }
    new Messages(surroundings.err(), false).error("standard output could not be written");
    return ExitCode.OUTPUT;
  }

  private static int badUsage(Surroundings surroundings, ParameterException e) {
    Messages messages = new Messages(surroundings.err(), false);
    messages.error(String.valueOf(e.getMessage()));
    messages.error("try '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
    return ExitCode.BAD_USAGE;
  }

  private static int failed(Surroundings surroundings, Exception e, ParseResult parsed) {
    String command =
        parsed.hasSubcommand()
            ? parsed.subcommand().commandSpec().qualifiedName()
            : parsed.commandSpec().qualifiedName();
    return new Failures(surroundings, command, isQuiet(parsed)).report(e, place(parsed));
  }

  private static Optional<String> place(ParseResult parsed) {
    return parsed.hasSubcommand()
            && parsed.subcommand().commandSpec().userObject() instanceof UsesStore user
        ? user.store().named().place()
        : Optional.empty();
  }

  private static boolean isQuiet(ParseResult parsed) {
    return parsed.hasMatchedOption("--quiet")
        || (parsed.hasSubcommand() && isQuiet(parsed.subcommand()));
  }
}
