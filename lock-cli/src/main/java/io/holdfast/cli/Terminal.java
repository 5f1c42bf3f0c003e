package io.holdfast.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether somebody can be asked. */
final class Terminal {

  private Terminal() {}

  /**
   * Looks at where standard input and standard error lead. {@code System.console()} does not do:
   * since JDK 22 it may be there without a terminal, and it wants standard output to be one too.
   */
  static boolean isThere() {
    return leadsToTerminal(0) && leadsToTerminal(2);
  }

  /** Whether this process's group is the one that reads the terminal and gets its keys. */
  static boolean isInFront() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
      // pid (program) state parent group session terminal front ...
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 7);
      return fields[2].equals(fields[5]);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean leadsToTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException e) {
      return false;
    }
  }
}
