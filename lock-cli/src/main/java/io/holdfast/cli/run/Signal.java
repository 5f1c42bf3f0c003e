package io.holdfast.cli.run;

/** A signal that this process catches and passes on. */
public enum Signal {
  HUP(1, Default.ENDS),
  INT(2, Default.ENDS),
  TRAP(5, Default.ENDS),
  ABRT(6, Default.ENDS),
  USR1(10, Default.ENDS),
  USR2(12, Default.ENDS),
  ALRM(14, Default.ENDS),
  TERM(15, Default.ENDS),
  STKFLT(16, Default.ENDS),
  CONT(18, Default.IGNORED),
  TSTP(20, Default.STOPS),
  URG(23, Default.IGNORED),
  XCPU(24, Default.ENDS),
  VTALRM(26, Default.ENDS),
  PROF(27, Default.ENDS),
  WINCH(28, Default.IGNORED),
  IO(29, Default.ENDS),
  PWR(30, Default.ENDS),
  SYS(31, Default.ENDS);

  /** What becomes of a program that does nothing about the signal. */
  enum Default {
    ENDS,
    STOPS,
    IGNORED
  }

  private final int number;
  private final Default otherwise;

  Signal(int number, Default otherwise) {
    this.number = number;
    this.otherwise = otherwise;
  }

  /** Returns the exit code of a shell for a command that this signal has ended. */
  public int exitCode() {
    return 128 + number;
  }

  Default otherwise() {
    return otherwise;
  }

  /** Returns whether the mask of signals, as the kernel writes it, has this one. */
  boolean isIn(long mask) {
    return (mask >> (number - 1) & 1) != 0;
  }
}
