package io.holdfast;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The name of a lock: its UTF-8 bytes and nothing else. Names are never folded, padded or
 * normalised, so two names are one lock exactly if their bytes are equal.
 *
 * @param value 1 to 512 bytes of well-formed text without control characters
 */
public record LockName(String value) implements Comparable<LockName> {

  /** The longest name, in UTF-8 bytes. */
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
    int bytes = utf8("A lock's name", value).length;
    if (bytes > BYTES_MAX) {
      throw new BadRequestException(
          "A lock's name may have at most %d bytes in UTF-8; this one has %d: %.40s…"
              .formatted(BYTES_MAX, bytes, value));
    }
    if (value.codePoints().anyMatch(Character::isISOControl)) {
      throw new BadRequestException("A lock's name must not have control characters.");
    }
  }

  /** Returns the name's UTF-8 bytes, a fresh array each time. */
  public byte[] bytes() {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  /** Orders names as the stores list them: by unsigned UTF-8 bytes. */
  @Override
  public int compareTo(LockName other) {
    return java.util.Arrays.compareUnsigned(bytes(), other.bytes());
  }

  @Override
  public String toString() {
    return value;
  }

  /**
   * Returns the UTF-8 bytes of a text that may be the beginning of a name: with a lone surrogate
   * stored as "?" it would meet names that are not meant.
   *
   * @param what what the text is called in the exception
   * @throws BadRequestException if the text is ill-formed
   */
  public static byte[] utf8(String what, String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new BadRequestException(what + " is not well-formed text (a lone surrogate).", e);
    }
  }
}
