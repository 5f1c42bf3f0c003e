package io.holdfast.jdbc.sqlite;

import io.holdfast.error.BackendUnusableException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The version of SQLite that the driver brings along. */
record SqliteVersion(int major, int minor, int patch) implements Comparable<SqliteVersion> {

  private static final Logger LOG = LoggerFactory.getLogger(SqliteVersion.class);

  /** Older ones have no clock with fractions of seconds. */
  private static final SqliteVersion LEAST = new SqliteVersion(3, 42, 0);

  /** See <a href="https://www.sqlite.org/wal.html#walresetbug">the WAL-reset bug</a>. */
  private static final SqliteVersion RESETS_SAFELY = new SqliteVersion(3, 51, 3);

  private static final List<SqliteVersion> ALSO_RESET_SAFELY =
      List.of(new SqliteVersion(3, 44, 6), new SqliteVersion(3, 50, 7));

  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private static final Comparator<SqliteVersion> ORDER =
      Comparator.comparingInt(SqliteVersion::major)
          .thenComparingInt(SqliteVersion::minor)
          .thenComparingInt(SqliteVersion::patch);

  /**
   * Reads a version such as 3.51.3.
   *
   * @throws NumberFormatException if it is none
   */
  static SqliteVersion of(String text) {
    List<Integer> parts = Stream.of(text.split("\\.", -1)).map(Integer::valueOf).toList();
    return new SqliteVersion(
        parts.get(0), parts.size() > 1 ? parts.get(1) : 0, parts.size() > 2 ? parts.get(2) : 0);
  }

  /**
   * Checks that locks can be kept by it, and warns once of one that may damage a file.
   *
   * @throws BackendUnusableException if they cannot
   */
  void requireUsable() {
    if (compareTo(LEAST) < 0) {
      throw new BackendUnusableException(
          "The driver sqlite-jdbc on the class path brings SQLite %s, and %s is the least that will do. Use a newer driver."
              .formatted(this, LEAST));
    }
    if (mayDamage() && WARNED.compareAndSet(false, true)) {
      LOG.warn(
          "The driver sqlite-jdbc on the class path brings SQLite {}, which in rare cases damages a file to which several connections write (https://www.sqlite.org/wal.html#walresetbug). Use a driver with {} or newer.",
          this,
          RESETS_SAFELY);
    }
  }

  /** Returns whether two connections that write the log back at once may lose commits. */
  boolean mayDamage() {
    return compareTo(RESETS_SAFELY) < 0
        && ALSO_RESET_SAFELY.stream()
            .noneMatch(fixed -> minor == fixed.minor && patch >= fixed.patch);
  }

  @Override
  public int compareTo(SqliteVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return "%s.%s.%s".formatted(major, minor, patch);
  }
}
