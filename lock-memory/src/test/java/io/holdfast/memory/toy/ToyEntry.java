package io.holdfast.memory.toy;

import java.util.Arrays;

/**
 * A step in a toy store's log, as one number.
 *
 * @param kind what is done
 * @param lock to which lock
 * @param session by which session; for an opening, its TTL in milliseconds
 * @param data an instant in milliseconds, or a request of its session ({@link #request})
 */
record ToyEntry(Kind kind, int lock, int session, long data) {

  private static final int DATA_BITS = 32;
  private static final int SESSION_BITS = 24;
  private static final int LOCK_BITS = 4;
  private static final int DELAY_BITS = 16;

  enum Kind {
    OPEN(1),
    RENEW(2),
    END(3),
    END_LAPSED(4),
    TRY(5),
    JOIN(6),
    LEAVE(7),
    /** The head leaves, and the lock stays taken until the instant. */
    BURY(8),
    /** What stayed taken until the instant, or before it, goes. */
    CLEAR(9);

    private final long code;

    Kind(long code) {
      this.code = code;
    }

    private static Kind of(long code) {
      return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst().orElseThrow();
    }
  }

  /** Returns a request as a number: its serial number in its session, and its lock-delay. */
  static long request(long serial, long delayMillis) {
    return serial << DELAY_BITS | bits(delayMillis, DELAY_BITS);
  }

  static long delayMillis(long request) {
    return bits(request, DELAY_BITS);
  }

  static ToyEntry of(long entry) {
    return new ToyEntry(
        Kind.of(entry >>> (DATA_BITS + SESSION_BITS + LOCK_BITS)),
        (int) bits(entry >>> (DATA_BITS + SESSION_BITS), LOCK_BITS),
        (int) bits(entry >>> DATA_BITS, SESSION_BITS),
        bits(entry, DATA_BITS));
  }

  long toLong() {
    long entry = kind.code << LOCK_BITS | bits(lock, LOCK_BITS);
    entry = entry << SESSION_BITS | bits(session, SESSION_BITS);
    return entry << DATA_BITS | bits(data, DATA_BITS);
  }

  private static long bits(long value, int count) {
    return value & ((1L << count) - 1);
  }
}
