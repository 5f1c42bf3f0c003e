package io.holdfast.cli.environment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether the process has a terminal. */
public final class Terminal {

  private Terminal() {}

  /**
   * Returns whether standard input and standard error are terminals. {@code System.console()}
   * cannot be used: since JDK 22 it may exist without a terminal, and it requires standard output
   * to be a terminal too.
   */
  static boolean isThere() {
    return leadsToTerminal(0) && leadsToTerminal(2);
  }

  /**
   * Returns whether this process's group is the foreground group, which reads the terminal and gets
   * its keys.
   */
  public static boolean isInFront() {
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
