package io.holdfast.cli.run;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What {@code /proc} knows of process groups. */
final class ProcessTable {

  private static final Path PROC = Path.of("/proc");

  private ProcessTable() {}

  /** A process that runs: its number and its program's name. */
  record Entry(long pid, String program) {
    @Override
    public String toString() {
      return pid + " " + program;
    }
  }

  /** Returns the processes of a group that have not ended. Zombies count as ended. */
  static List<Entry> membersOf(long group) {
    List<Entry> members = new ArrayList<>();
    String[] names = PROC.toFile().list();
    if (names == null) {
      throw new IllegalStateException("Cannot read " + PROC + ": run needs Linux.");
    }
    byte[] buffer = new byte[512];
    for (String name : names) {
      if (name.charAt(0) >= '1' && name.charAt(0) <= '9') {
        addIfMember(members, group, name, buffer);
      }
    }
    return members;
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
    // pid (program) state parent group ...; the program's name may have anything in it.
    int open = stat.indexOf('(');
    int close = stat.lastIndexOf(')');
    if (close < 0 || close + 2 >= stat.length()) {
      return;
    }
    char state = stat.charAt(close + 2);
    int parentAt = close + 4;
    int groupAt = stat.indexOf(' ', parentAt) + 1;
    int end = stat.indexOf(' ', groupAt);
    if (state != 'Z' && state != 'X' && Long.parseLong(stat, groupAt, end, 10) == group) {
      members.add(new Entry(Long.parseLong(pid), stat.substring(open + 1, close)));
    }
  }
}
