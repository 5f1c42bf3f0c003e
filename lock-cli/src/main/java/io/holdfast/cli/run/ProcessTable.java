package io.holdfast.cli.run;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The process groups as {@code /proc} knows them. */
final class ProcessTable {

  private static final Path PROC = Path.of("/proc");

  /** How many fields there are from the state to the number of threads. */
  private static final int THREADS_AT = 17;

  private ProcessTable() {}

  /** A process that runs: its number and its program's name. */
  record Entry(long pid, String program) {
    @Override
    public String toString() {
      return pid + " " + program;
    }
  }

  /**
   * Returns the processes of a group that have not ended. Zombies without a living thread count as
   * ended.
   *
   * <p>A process that forks and ends between a list and the reading of it hides its child. So it
   * lists again until there is no new name: a process that is alive then was in a list, and was
   * read.
   */
  static List<Entry> membersOf(long group) {
    List<Entry> members = new ArrayList<>();
    Set<String> read = new HashSet<>();
    byte[] buffer = new byte[512];
    boolean anyNew;
    do {
      anyNew = false;
      for (String name : names()) {
        if (name.charAt(0) >= '1' && name.charAt(0) <= '9' && read.add(name)) {
          anyNew = true;
          addIfMember(members, group, name, buffer);
        }
      }
    } while (anyNew);
    return members;
  }

  private static String[] names() {
    String[] names = PROC.toFile().list();
    if (names == null) {
      throw new IllegalStateException("Cannot read " + PROC + ": run needs Linux.");
    }
    return names;
  }

  /**
   * Returns whether processes of other users are hidden in {@code /proc} (its mount option
   * hidepid), so that a group may have members that {@link #membersOf} does not see.
   */
  static boolean hidesProcesses() {
    return !Files.isReadable(PROC.resolve("1/stat"));
  }

  private static void addIfMember(List<Entry> members, long group, String pid, byte[] buffer) {
    String stat;
    try (InputStream in = new FileInputStream("/proc/" + pid + "/stat")) {
      int length = in.read(buffer);
      stat = new String(buffer, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return; // It has ended since.
    }
    running(stat, group).ifPresent(members::add);
  }

  /** Returns the process of which the kernel says this, if it is in the group and runs. */
  static Optional<Entry> running(String stat, long group) {
    // pid (program) state parent group ...; the program's name may have anything in it.
    int open = stat.indexOf('(');
    int close = stat.lastIndexOf(')');
    if (close < 0 || close + 2 >= stat.length()) {
      return Optional.empty();
    }
    char state = stat.charAt(close + 2);
    int parentAt = close + 4;
    int groupAt = stat.indexOf(' ', parentAt) + 1;
    int end = stat.indexOf(' ', groupAt);
    if (Long.parseLong(stat, groupAt, end, 10) != group
        || state == 'X'
        || (state == 'Z' && threads(stat.substring(close + 2)) <= 1)) {
      return Optional.empty();
    }
    long pid = Long.parseLong(stat, 0, open - 1, 10);
    return Optional.of(new Entry(pid, stat.substring(open + 1, close)));
  }

  /** A process whose first thread has ended counts as a zombie, and yet its other threads run. */
  private static int threads(String fromState) {
    return Integer.parseInt(fromState.split(" ", THREADS_AT + 2)[THREADS_AT]);
  }
}
