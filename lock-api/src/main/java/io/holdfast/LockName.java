package io.holdfast;

import io.holdfast.error.BadRequestException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The name of a lock: its UTF-8 bytes and nothing else. Names are never case-folded, padded or
 * normalised. Two names denote the same lock if and only if their bytes are equal.
 *
 * @param value 1 to 512 bytes of well-formed text without control characters
 */
public record LockName(String value) implements Comparable<LockName> {

  /** The greatest length of a name, in UTF-8 bytes. */
  public static final int BYTES_MAX = 512;

  /**
   * Checks the name.
   *
   * @throws BadRequestException if the name is empty, too long, ill-formed or has a control
   *     character
   */
  public LockName {
    if (value.isEmpty()) {
      throw new BadRequestException("A lock's name must not be empty.");
    }
    int bytes = utf8Length("A lock's name", value);
    if (bytes > BYTES_MAX) {
      throw new BadRequestException(
          "A lock's name may have at most %s bytes in UTF-8; this one has %s: %.40s…"
              .formatted(BYTES_MAX, bytes, value));
    }
    if (hasControl(value)) {
      throw new BadRequestException("A lock's name must not have control characters.");
    }
  }

  /** Returns whether a text has a control character; none of those is beyond a single char. */
  static boolean hasControl(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the name's UTF-8 bytes in a new array. */
  public byte[] bytes() {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Orders names as the stores list them: by unsigned UTF-8 bytes, which are not made for that. It
   * is the order of chars, except that what takes two of them comes last.
   */
  @Override
  public int compareTo(LockName other) {
    int common = Math.min(value.length(), other.value.length());
    for (int i = 0; i < common; i++) {
      char here = value.charAt(i);
      char there = other.value.charAt(i);
      if (here != there) {
        return Character.isSurrogate(here) == Character.isSurrogate(there)
            ? Character.compare(here, there)
            : Boolean.compare(Character.isSurrogate(here), Character.isSurrogate(there));
      }
    }
    return Integer.compare(value.length(), other.value.length());
  }

  /** Written out, as {@link #hashCode()}. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LockName name && name.value.equals(value);
  }

  /**
   * Written out: the first call of a record's generated method takes a JVM milliseconds, in a
   * command that is to start at once.
   */
  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return value;
  }

  /**
   * Returns the UTF-8 bytes of a text that may be the beginning of a name. Refuses a lone
   * surrogate: if it were stored as "?", the text would match other names.
   *
   * @param what the name of the text in the exception's message
   * @throws BadRequestException if the text is ill-formed
   */
  public static byte[] utf8(String what, String text) {
    int unused = utf8Length(what, text);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns how many bytes a text has in UTF-8, without making them: names and reasons are checked
   * with every acquire.
   *
   * @param what the name of the text in the exception's message
   * @throws BadRequestException if the text is ill-formed
   */
  static int utf8Length(String what, String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes += 1;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        throw new BadRequestException(what + " is not well-formed text (a lone surrogate).");
      }
    }
    return bytes;
  }
}
