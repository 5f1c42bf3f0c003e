package io.holdfast.cli;

import io.holdfast.BackendUnreachableException;
import io.holdfast.BackendUnusableException;
import io.holdfast.BadRequestException;
import io.holdfast.LockInterruptedException;
import io.holdfast.LockLostException;
import io.holdfast.LockTimeoutException;
import io.holdfast.cli.run.LockedRun;
import java.io.IOException;

/** What the tool's own endings are called in exit codes, after {@code sysexits.h} where it fits. */
final class ExitCode {

  static final int DECLINED = 1;
  static final int BAD_USAGE = 64;
  static final int BACKEND = 69;
  static final int INTERNAL = 70;
  static final int SYSTEM = 71;
  static final int LOST = LockedRun.EXIT_LOST;
  static final int TRY_AGAIN = 75;
  static final int INTERRUPTED = 130;

  private ExitCode() {}

  /** The one place where exceptions become exit codes. */
  static int of(Throwable failure) {
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
    if (failure instanceof LockTimeoutException) {
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
