package io.holdfast.cli;

import io.holdfast.BackendUnreachableException;
import io.holdfast.BackendUnusableException;
import io.holdfast.BadRequestException;
import io.holdfast.LockTimeoutException;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** What to do about an error of the tool, where its message does not say so by itself. */
final class Advice {

  private Advice() {}

  static Optional<String> on(Exception failure, ParseResult parsed) {
    String command =
        parsed.hasSubcommand()
            ? parsed.subcommand().commandSpec().qualifiedName()
            : parsed.commandSpec().qualifiedName();
    if (failure instanceof BadRequestException) {
      return Optional.of(
          "correct what was asked for; '%s --help' tells what can be".formatted(command));
    }
    if (failure instanceof BackendUnreachableException) {
      return Optional.of(
          "see that the store runs and can be reached from here; 'holdfast run --wait' waits for it");
    }
    if (failure instanceof BackendUnusableException) {
      return Optional.of("have the store, or the rights in it, mended; waiting does not help");
    }
    if (failure instanceof LockTimeoutException) {
      return Optional.of(
          "wait longer with --wait, or look at its holder with 'holdfast inspect NAME'");
    }
    return ExitCode.of(failure) == ExitCode.INTERNAL
        ? Optional.of("set HOLDFAST_DEBUG=1 to see where it comes from, and report it")
        : Optional.empty();
  }
}
