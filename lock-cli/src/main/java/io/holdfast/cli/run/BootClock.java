package io.holdfast.cli.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The time since the machine started. This clock goes on while the machine sleeps and is never set.
 * All processes of the machine read the same clock, so this process can tell the keeper when a
 * lease ends.
 */
final class BootClock {

  private static final Path UPTIME = Path.of("/proc/uptime");

  private BootClock() {}

  static boolean isThere() {
    return Files.isReadable(UPTIME);
  }

  /** Returns milliseconds; the clock advances by 10 at a time. */
  static long millis() {
    try {
      String text = Files.readString(UPTIME, StandardCharsets.US_ASCII);
      int point = text.indexOf('.');
      return Long.parseLong(text, 0, point, 10) * 1000
          + Long.parseLong(text, point + 1, point + 3, 10) * 10;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + UPTIME, e);
    }
  }
}
