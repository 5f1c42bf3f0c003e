package io.holdfast.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The {@code holdfast} command. */
public final class Main {

  private Main() {}

  /** Runs the command and exits with its code. */
  public static void main(String[] args) {
    if (RawArguments.areSpoiled(args, RawArguments.OF_THIS_PROCESS)) {
      new Messages(System.err, false)
          .error(
              "an argument is not UTF-8 and would be changed on its way; put it into a variable,"
                  + " which COMMAND gets as it is");
      System.exit(ExitCode.BAD_USAGE);
    }
    System.exit(run(Surroundings.real(), args));
  }

  static int run(Surroundings surroundings, String... args) {
    CommandLine line = HoldfastCommand.commandLine(surroundings, args.length == 0 ? "" : args[0]);
    // An argument of the user's command that begins with @ is not a file of ours.
    line.setExpandAtFiles(false);
    line.setOut(new PrintWriter(surroundings.out(), true, Charset.defaultCharset()));
    line.setErr(new PrintWriter(surroundings.err(), true, Charset.defaultCharset()));
    line.setParameterExceptionHandler((e, arguments) -> badUsage(surroundings, e));
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(surroundings, e, parsed));
    return line.execute(args);
  }

  private static int badUsage(Surroundings surroundings, ParameterException e) {
    Messages messages = new Messages(surroundings.err(), false);
    messages.error(String.valueOf(e.getMessage()));
    messages.error("try '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
    return ExitCode.BAD_USAGE;
  }

  private static int failed(Surroundings surroundings, Exception e, ParseResult parsed) {
    int code = ExitCode.of(e);
    boolean quiet = code == ExitCode.TRY_AGAIN && isQuiet(parsed);
    Messages messages = new Messages(surroundings.err(), quiet);
    messages.note(
        code == ExitCode.INTERNAL ? "internal error: " + e : String.valueOf(e.getMessage()));
    place(parsed).ifPresent(place -> messages.note("at: " + place));
    Advice.on(e, parsed).ifPresent(advice -> messages.note("to do: " + advice));
    if (surroundings.environment().containsKey("HOLDFAST_DEBUG")) {
      e.printStackTrace(surroundings.err());
    }
    return code;
  }

  private static Optional<String> place(ParseResult parsed) {
    return parsed.hasSubcommand()
            && parsed.subcommand().commandSpec().userObject() instanceof UsesStore user
        ? user.store().place()
        : Optional.empty();
  }

  private static boolean isQuiet(ParseResult parsed) {
    return parsed.hasMatchedOption("--quiet")
        || (parsed.hasSubcommand() && isQuiet(parsed.subcommand()));
  }
}
