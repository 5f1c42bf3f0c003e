package io.holdfast.engine.gate;

import io.holdfast.record.RequestId;
import java.time.Duration;

/** How long requests wait that the store has put off. */
final class Delays {

  /** Makes numbers that follow each other, as those of one session's requests do, lie far apart. */
  private static final long SCATTER = 0x9E37_79B9_7F4A_7C15L;

  private Delays() {}

  /** The time that the store says, and up to a tenth more that differs from request to request. */
  static long nanos(Duration remaining, RequestId request) {
    long nanos = Math.max(remaining.toNanos(), Wish.PAUSE_MIN_NANOS);
    long spread = Math.min(nanos / 10, Wish.PAUSE_MAX_NANOS) + 1;
    return nanos + Math.floorMod(request.hashCode() * SCATTER, spread);
  }
}
