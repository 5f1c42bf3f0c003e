package io.holdfast.jdbc.database;

import io.holdfast.LockName;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** A page of a list: the names that begin with a prefix and come after the last one told. */
public final class NameRange {

  /** Greater than every byte of UTF-8, so that a prefix and this is above all that begins so. */
  private static final byte ABOVE = (byte) 0xff;

  private NameRange() {}

  /**
   * Returns the parameters {@code low}, {@code high} and {@code limit}: names from the one on,
   * below the other, and how many of them.
   */
  public static Map<String, Object> parameters(String prefix, Optional<LockName> after, int limit) {
    byte[] begin = LockName.utf8("The prefix", prefix);
    byte[] high = Arrays.copyOf(begin, begin.length + 1);
    high[begin.length] = ABOVE;
    byte[] low = after.map(NameRange::successor).orElse(begin);
    return Map.of(
        "low", Arrays.compareUnsigned(low, begin) > 0 ? low : begin, "high", high, "limit", limit);
  }

  /** Returns the least of the bytes that come after a name. */
  private static byte[] successor(LockName name) {
    byte[] bytes = name.bytes();
    return Arrays.copyOf(bytes, bytes.length + 1);
  }
}
