package io.holdfast.engine.session;

/**
 * How many requests one look may ask for. What an adapter cannot read of one lock fails the look
 * for all of them. So after such a failure the next look asks for half as many, down to one, and
 * after an answer for twice as many.
 */
final class LookSize {

  private static final int MOST = 1_000;

  private int most = MOST;

  int most() {
    return most;
  }

  void answered() {
    most = Math.min(MOST, 2 * most);
  }

  /** A look at so many has failed, and repeating it seems useless. */
  void cannotRead(int requests) {
    if (requests > 1) {
      most = Math.max(1, Math.min(most, requests) / 2);
    }
  }
}
