package io.holdfast.cli;

import io.holdfast.cli.commands.LockedCommand;
import io.holdfast.cli.commands.PlainRun;
import io.holdfast.cli.commands.RunRequest;
import io.holdfast.cli.environment.RawArguments;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.output.ExitCode;
import io.holdfast.cli.output.Failures;
import io.holdfast.cli.output.Messages;
import java.util.Optional;

/** The {@code holdfast} command. */
public final class Main {

  private Main() {}

  /** Runs the command and exits with its code. */
  public static void main(String[] args) {
    if (RawArguments.areSpoiled(args, RawArguments.OF_THIS_PROCESS)) {
      new Messages(System.err, false)
          .error(
              "an argument is not UTF-8 and would reach COMMAND changed; pass it in an environment"
                  + " variable, which COMMAND gets unchanged");
      System.exit(ExitCode.BAD_USAGE);
    }
    System.exit(run(Surroundings.real(), args));
  }

  static int run(Surroundings surroundings, String... args) {
    Optional<RunRequest> plain = PlainRun.of(args);
    return plain.isPresent()
        ? run(surroundings, plain.get())
        : ParsedCommand.run(surroundings, args);
  }

  private static int run(Surroundings surroundings, RunRequest request) {
    try {
      return new LockedCommand(surroundings, request).run();
    } catch (Exception e) {
      return new Failures(surroundings, "holdfast run", request.quiet())
          .report(e, request.store().place());
    }
  }
}
