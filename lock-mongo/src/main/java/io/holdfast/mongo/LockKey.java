package io.holdfast.mongo;

import io.holdfast.LockName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.bson.BsonString;

/**
 * The key of a lock's document. ASCII stands for itself; every other byte of the name's UTF-8, and
 * the tilde, is a tilde and two hexadecimal digits. So keys are ordered like the bytes of the names
 * however a server compares text, and no normal form or other script's case can make two names one.
 */
final class LockKey {

  private static final char ESCAPE = '~';
  private static final int ESCAPED_LENGTH = 3;

  /** Greater than every character of a key. */
  private static final String ABOVE = "\u007f";

  private LockKey() {}

  static BsonString of(LockName name) {
    return new BsonString(encode(name.bytes()));
  }

  /** Returns the least of the keys whose names begin with a text. */
  static BsonString first(String prefix) {
    return new BsonString(encode(LockName.utf8("The prefix", prefix)));
  }

  /** Returns what is greater than every key whose name begins with a text. */
  static BsonString above(String prefix) {
    return new BsonString(first(prefix).getValue() + ABOVE);
  }

  private static String encode(byte[] bytes) {
    StringBuilder key = new StringBuilder(bytes.length);
    for (byte b : bytes) {
      if (b >= 0 && b < ESCAPE) {
        key.append((char) b);
      } else {
        key.append(ESCAPE).append(HexFormat.of().toHexDigits(b));
      }
    }
    return key.toString();
  }

  /**
   * Reads a key.
   *
   * @throws RuntimeException if no name has it
   */
  static LockName name(String key) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(key.length());
    for (int i = 0; i < key.length(); i++) {
      if (key.charAt(i) == ESCAPE) {
        bytes.write(HexFormat.fromHexDigits(key, i + 1, i + ESCAPED_LENGTH));
        i += ESCAPED_LENGTH - 1;
      } else {
        bytes.write(key.charAt(i));
      }
    }
    return new LockName(bytes.toString(StandardCharsets.UTF_8));
  }
}
