package io.holdfast.engine.session;

import io.holdfast.engine.turn.Core;

/**
 * How many requests one look may ask for. A lock that an adapter cannot read fails the look for all
 * of them. So does a look that asks for more than the store can tell in the time of a call. So
 * after such a failure the next look asks for half as many, down to one, and after an answer that
 * came soon for twice as many.
 */
final class LookSize {

  private static final int MOST = 1_000;

  /**
   * A look that takes longer than this may take longer than a call may, if it asks for twice as
   * many.
   */
  private static final long SOON_NANOS = Core.CALL_TIMEOUT.toNanos() / 4;

  private int most = MOST;

  int most() {
    return most;
  }

  /** A look was answered after so much time. */
  void answered(long tookNanos) {
    if (tookNanos <= SOON_NANOS) {
      most = Math.min(MOST, 2 * most);
    }
  }

  /** A look at so many has failed, and repeating it seems useless. */
  void cannotRead(int requests) {
    if (requests > 1) {
      most = Math.max(1, Math.min(most, requests) / 2);
    }
  }

  /** A look at so many has failed after so much time, and repeating it may help. */
  void failed(int requests, long tookNanos) {
    if (tookNanos > SOON_NANOS) {
      cannotRead(requests);
    }
  }
}
