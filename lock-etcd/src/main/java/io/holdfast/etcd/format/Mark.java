package io.holdfast.etcd.format;

/**
 * A further fact about a request in a queue: each is a key of its own beside it. The marks of a
 * lock are read in one range, regardless of its queue. Those that others act upon name their
 * request, since its key may not.
 */
public enum Mark {
  /** The request was revoked: when, and its serial. */
  REVOKED(""),

  /** It was revoked, and the time that its holder has to stop is not over. */
  TIMER("t"),

  /** It has a lock-delay: on no lease one that is to begin, on a lease one that runs. */
  DELAY("d"),

  /** The session of a request with a lock-delay lives. */
  ALIVE("a"),

  /** It was given back, and stays: its serial. */
  GIVEN_BACK("g");

  private final String below;

  Mark(String letter) {
    this.below = letter.isEmpty() ? "" : Keys.TAB + letter;
  }

  /** Returns what follows the seat in the key. */
  String below() {
    return below;
  }
}
