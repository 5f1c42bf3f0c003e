package io.holdfast;

import io.holdfast.error.BadRequestException;

/**
 * A number by which the resource behind a lock can tell which of two writers is the later one. For
 * one name, the tokens of exclusive grants rise strictly in the order in which the grants were
 * held. They rise across holders, hand-overs, crashes, restarts and the deletion of the lock's
 * record.
 *
 * <p>A token is the store's number of the grant × 1024 plus a local part. Write tokens as strings
 * in JSON. They exceed 2<sup>53</sup>, and many JSON readers round such numbers.
 *
 * @param value positive
 */
public record FencingToken(long value) implements Comparable<FencingToken> {

  /** The number of tokens that one grant of the store can yield. */
  public static final int LOCAL_PARTS = 1024;

  /** Checks that the value is positive. */
  public FencingToken {
    if (value <= 0) {
      throw new BadRequestException("A fencing token is a positive number, not " + value + ".");
    }
  }

  /** Returns the token for a grant's number in the store and a local part. */
  public static FencingToken of(long number, int local) {
    if (local < 0 || local >= LOCAL_PARTS) {
      throw new IllegalArgumentException("Not a local part: " + local);
    }
    return new FencingToken(Math.addExact(Math.multiplyExact(number, (long) LOCAL_PARTS), local));
  }

  /** Returns the store's number of the grant. */
  public long number() {
    return value / LOCAL_PARTS;
  }

  @Override
  public int compareTo(FencingToken other) {
    return Long.compare(value, other.value);
  }

  /** Returns the value in decimal. */
  @Override
  public String toString() {
    return Long.toString(value);
  }
}
