package io.holdfast.jdbc.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine that this process runs on. */
public final class Machine {

  /** Stands for an uptime that cannot be told from another. */
  public static final String UNKNOWN = "unknown";

  /**
   * Identifies its uptime. Where the system has no boot id, or this process may not read it, {@link
   * #UNKNOWN}: the clock is then trusted to have gone on during a restart, as the clocks of
   * machines do.
   */
  public static final String BOOT_ID = bootId();

  private Machine() {}

  private static String bootId() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return UNKNOWN;
    }
  }
}
