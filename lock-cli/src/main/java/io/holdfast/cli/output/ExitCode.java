package io.holdfast.cli.output;

import io.holdfast.cli.run.LockedRun;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LockQueueFullException;
import io.holdfast.error.LockTimeoutException;
import java.io.IOException;

/** The exit codes of the command itself, after {@code sysexits.h} where that has a fitting one. */
public final class ExitCode {

  /** The user has said no. */
  public static final int DECLINED = 1;

  /** The answer to what was asked is no; not a failure. */
  public static final int NO = 1;

  /** Something was found that should not be there. */
  public static final int FOUND = 1;

  public static final int BAD_USAGE = 64;
  public static final int BACKEND = 69;
  public static final int INTERNAL = 70;
  public static final int SYSTEM = 71;
  public static final int LOST = LockedRun.EXIT_LOST;

  /** Standard output could not be written; of subcommands that never say {@link #LOST}. */
  public static final int OUTPUT = 74;

  public static final int TRY_AGAIN = 75;
  public static final int INTERRUPTED = 130;

  /** Standard output has no reader any more: that of a program which SIGPIPE has ended. */
  public static final int NO_READER = 141;

  private ExitCode() {}

  /** The one place where exceptions become exit codes. */
  public static int of(Throwable failure) {
    if (failure instanceof BadRequestException) {
      return BAD_USAGE;
    }
    if (failure instanceof BackendUnreachableException
        || failure instanceof BackendUnusableException) {
      return BACKEND;
    }
    if (failure instanceof IOException) {
      return SYSTEM;
    }
    if (failure instanceof LockTimeoutException || failure instanceof LockQueueFullException) {
      return TRY_AGAIN;
    }
    if (failure instanceof LockLostException) {
      return LOST;
    }
    if (failure instanceof LockInterruptedException) {
      return INTERRUPTED;
    }
    return INTERNAL;
  }
}
