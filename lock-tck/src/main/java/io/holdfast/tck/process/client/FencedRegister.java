package io.holdfast.tck.process.client;

import io.holdfast.FencingToken;
import java.nio.file.Path;

/**
 * A resource behind a lock that checks tokens, shared by processes of one machine: it takes no
 * smaller token after a greater one, for reading as for writing, since a reader that has been let
 * in would otherwise overwrite what it has not read.
 *
 * <p>It stores nothing but the order of its accesses. Thread-safe.
 */
final class FencedRegister {

  private static final int ENTRIES_MAX = 1 << 20;

  // One entry for each access: the token, negative for a read.
  private final SharedLog accesses;
  private volatile int known;

  private FencedRegister(SharedLog accesses) {
    this.accesses = accesses;
  }

  /** Whether an access was let in. */
  sealed interface Answer {
    /**
     * It was.
     *
     * @param serial of a write, its own serial number; of a read, that of the last write before it,
     *     or 0
     */
    record Accepted(long serial) implements Answer {}

    /** It was not, because of a greater token. */
    record Rejected(FencingToken greatest) implements Answer {}
  }

  static FencedRegister open(Path file) {
    return new FencedRegister(SharedLog.open(file, ENTRIES_MAX));
  }

  Answer read(FencingToken token) {
    int index = enter(-token.value());
    if (index < 0) {
      return rejected(index);
    }
    while (index >= 0 && accesses.get(index) < 0) {
      index--;
    }
    return new Answer.Accepted(index + 1L);
  }

  Answer write(FencingToken token) {
    int index = enter(token.value());
    return index < 0 ? rejected(index) : new Answer.Accepted(index + 1L);
  }

  /** Returns the index of the new entry, or the complement of that of the one in its way. */
  private int enter(long entry) {
    int index = known;
    while (true) {
      if (accesses.get(index) == 0) {
        // Tokens rise along the log, so the last entry has the greatest.
        if (index > 0 && Math.abs(accesses.get(index - 1)) > Math.abs(entry)) {
          return ~(index - 1);
        }
        if (accesses.put(index, entry)) {
          known = index;
          return index;
        }
      }
      index++;
    }
  }

  private Answer rejected(int complement) {
    return new Answer.Rejected(new FencingToken(Math.abs(accesses.get(~complement))));
  }
}
