package io.holdfast.cli.output;

import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockQueueFullException;
import io.holdfast.error.LockTimeoutException;
import java.util.Optional;

/** The advice that follows an error message which does not itself tell the user what to do. */
public final class Advice {

  private Advice() {}

  /**
   * Returns the advice, if there is any.
   *
   * @param command the subcommand that failed, as it is called: {@code holdfast run}
   */
  public static Optional<String> on(Exception failure, String command) {
    if (failure instanceof BadRequestException) {
      return Optional.of("correct the arguments; see '%s --help'".formatted(command));
    }
    if (failure instanceof BackendUnreachableException) {
      return Optional.of(
          "check that the store is running and can be reached from this machine; 'holdfast run' waits for it with --wait or --retry");
    }
    if (failure instanceof BackendUnusableException) {
      return Optional.of("repair the store or its permissions; waiting does not help");
    }
    if (failure instanceof LockTimeoutException) {
      return Optional.of(
          "wait longer with --wait, or see who holds the lock with 'holdfast inspect NAME'");
    }
    if (failure instanceof LockQueueFullException) {
      return Optional.of("try again later, or let more requests wait: maxWaiters in the URI");
    }
    return ExitCode.of(failure) == ExitCode.INTERNAL
        ? Optional.of("set HOLDFAST_DEBUG=1 to print the stack trace, and report the error")
        : Optional.empty();
  }
}
