package io.holdfast.jdbc.sqlite;

import io.holdfast.error.BackendUnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The names of a lock file. SQLite finds the log and the shared memory of a database by its name:
 * those who use one file by two names do not see each other, and both hold.
 */
final class FileNames {

  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
  private static final int MOUNT_POINT = 4;

  private FileNames() {}

  /**
   * Checks that a file has one name. A file that has none any more, or cannot be looked at, is
   * found out when it is opened.
   *
   * @throws BackendUnusableException if it has others
   */
  static void requireOne(SqliteFile file) {
    if (links(file.path()) > 1) {
      throw new BackendUnusableException(
          "The lock file %s has another name too, a hard link, and who uses that one would not see these locks. Remove one of the names."
              .formatted(file));
    }
    if (isMountedAlone(file.path())) {
      throw new BackendUnusableException(
          "The lock file %s is mounted without its directory, so that others do not see the files that SQLite keeps beside it. Mount the directory."
              .formatted(file));
    }
  }

  private static int links(Path path) {
    if (!Files.isRegularFile(path)) {
      return 1;
    }
    try {
      return (Integer) Files.getAttribute(path, "unix:nlink");
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return 1;
    }
  }

  private static boolean isMountedAlone(Path path) {
    try {
      return isMountPoint(path.toRealPath(), Files.readAllLines(MOUNTS));
    } catch (IOException e) {
      return false; // Not on Linux, or the file has just gone.
    }
  }

  /**
   * Returns whether something is mounted at a path.
   *
   * @param mounts lines as those of {@code /proc/self/mountinfo}
   */
  static boolean isMountPoint(Path path, List<String> mounts) {
    String escaped = escape(path.toString());
    return mounts.stream()
        .map(line -> line.split(" ", -1))
        .anyMatch(fields -> fields.length > MOUNT_POINT && fields[MOUNT_POINT].equals(escaped));
  }

  private static String escape(String path) {
    return path.replace("\\", "\\134")
        .replace(" ", "\\040")
        .replace("\t", "\\011")
        .replace("\n", "\\012");
  }
}
