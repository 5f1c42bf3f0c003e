package io.holdfast.cli.environment;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

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

  /**
   * Returns the size of the terminal that shows standard output; empty if there is none. {@code
   * COLUMNS} and {@code LINES} say what the terminal does not.
   */
  static Optional<Screen.Size> screen(Map<String, String> environment) {
    if (!leadsToTerminal(1)) {
      return Optional.empty();
    }
    Screen.Size told =
        new Screen.Size(
            number(environment.getOrDefault("COLUMNS", ""), 80),
            number(environment.getOrDefault("LINES", ""), 24));
    String[] size = ttySize().strip().split(" ", 2);
    return Optional.of(
        size.length < 2
            ? told
            : new Screen.Size(number(size[1], told.columns()), number(size[0], told.lines())));
  }

  /** The output of stty: lines and columns, each 0 if it is not known. */
  private static String ttySize() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/proc/self/fd/1"))
              .redirectError(Redirect.DISCARD)
              .start();
      return new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return "";
    }
  }

  private static int number(String text, int otherwise) {
    return text.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(text) : otherwise;
  }

  private static boolean leadsToTerminal(int descriptor) {
    String target = target(descriptor);
    return target.startsWith("/dev/pts/")
        || target.startsWith("/dev/tty")
        || target.equals("/dev/console");
  }

  /** Returns whether standard output is a pipe or a socket. */
  static boolean isPiped() {
    String target = target(1);
    return target.startsWith("pipe:") || target.startsWith("socket:");
  }

  /** Returns where a file of this process leads; empty if that is not known. */
  private static String target(int descriptor) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
    } catch (IOException e) {
      return "";
    }
  }
}
