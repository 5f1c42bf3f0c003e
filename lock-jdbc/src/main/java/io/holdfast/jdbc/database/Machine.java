package io.holdfast.jdbc.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The machine that this process runs on. */
public final class Machine {

  /** Stands for an uptime that cannot be told from another. */
  public static final String UNKNOWN = "unknown";

  private static final String BOOT_ID_FILE = "/proc/sys/kernel/random/boot_id";

  /** In /proc/self/mountinfo: where something is mounted. */
  private static final int MOUNT_POINT = 4;

  /**
   * Identifies its uptime. Where the system has no boot id, or this process may not read it, or is
   * shown another one in its place, {@link #UNKNOWN}: the clock is then trusted to have gone on
   * during a restart, as the clocks of machines do.
   */
  public static final String BOOT_ID = bootId();

  private Machine() {}

  private static String bootId() {
    try {
      return isOfContainer(mounts()) ? UNKNOWN : Files.readString(Path.of(BOOT_ID_FILE)).strip();
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static List<String> mounts() {
    try {
      return Files.readAllLines(Path.of("/proc/self/mountinfo"));
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * Returns whether something lies over the boot id: LXC and systemd-nspawn give each container one
   * of its own, by which the clients of two would take each other's times for those of another
   * boot.
   */
  static boolean isOfContainer(List<String> mountinfo) {
    return mountinfo.stream()
        .map(line -> line.split(" "))
        .anyMatch(
            fields -> fields.length > MOUNT_POINT && fields[MOUNT_POINT].equals(BOOT_ID_FILE));
  }
}
