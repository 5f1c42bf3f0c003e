package io.holdfast.cli;

import java.io.IOException;
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
