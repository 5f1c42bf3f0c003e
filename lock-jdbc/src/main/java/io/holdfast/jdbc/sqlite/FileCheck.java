package io.holdfast.jdbc.sqlite;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks for the lock file at its path, and remembers for a moment which one was there. */
final class FileCheck {

  private static final long MOMENT_NANOS = 1_000_000;

  private final SqliteFile file;
  private volatile @Nullable Look last;

  private record Look(Optional<Object> key, long atNanos) {

    boolean isOf(Object other) {
      return key.isPresent() && key.get().equals(other);
    }
  }

  FileCheck(SqliteFile file) {
    this.file = file;
  }

  /** Looks whether the file with that key is there. */
  boolean isThere(Object key) {
    return look().isOf(key);
  }

  /**
   * Returns whether the file with that key was there a moment ago. However fresh a look is, the
   * file may be replaced before the statement that follows. A holder of a lock in one that is not
   * there any more learns of it with the next heartbeat, which always looks.
   */
  boolean wasJustThere(Object key) {
    Look known = last;
    if (known == null || System.nanoTime() - known.atNanos() >= MOMENT_NANOS) {
      known = look();
    }
    return known.isOf(key);
  }

  private Look look() {
    long nanos = System.nanoTime();
    Look now = new Look(file.key(), nanos);
    last = now;
    return now;
  }
}
