package io.holdfast.tck.history;

/**
 * The instants around a call: what the call did, it did between them.
 *
 * @param before nanoseconds, read just before the call
 * @param after nanoseconds, read just after it
 */
public record Span(long before, long after) {

  /** Checks the order. */
  public Span {
    if (before > after) {
      throw new IllegalArgumentException("A call cannot end before it began: " + before);
    }
  }

  /** Returns the span of a call that was begun at an instant and has just returned. */
  public static Span since(long before) {
    return new Span(before, System.nanoTime());
  }
}
