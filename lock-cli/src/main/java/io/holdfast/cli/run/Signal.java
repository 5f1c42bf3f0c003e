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

  /** The effect of the signal on a program that does not handle it. */
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

  /** Returns the exit code that a shell gives for a command that this signal has ended. */
  public int exitCode() {
    return 128 + number;
  }

  /** Returns the number in digits, since dash does not know STKFLT by its name. */
  String decimal() {
    return Integer.toString(number);
  }

  /** Returns whether it asks a program to end in good order. */
  boolean asksToStop() {
    return this == INT || this == TERM;
  }

  Default otherwise() {
    return otherwise;
  }

  /** Returns whether a mask of signals, in the kernel's form, contains this signal. */
  boolean isIn(long mask) {
    return (mask >> (number - 1) & 1) != 0;
  }
}
