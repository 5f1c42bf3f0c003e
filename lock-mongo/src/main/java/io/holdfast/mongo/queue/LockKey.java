package io.holdfast.mongo.queue;

import io.holdfast.LockName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.bson.BsonString;

/**
 * The key of a lock's document. ASCII characters stand for themselves; every other byte of the
 * name's UTF-8, and the tilde, becomes a tilde and two hexadecimal digits. So keys have the order
 * of the names' bytes, however a server compares text, and neither normalization nor case folding
 * can make two names equal.
 */
public final class LockKey {

  private static final char ESCAPE = '~';
  private static final int ESCAPED_LENGTH = 3;

  /** A character greater than every character of a key. */
  private static final String ABOVE = "\u007f";

  private LockKey() {}

  static BsonString of(LockName name) {
    return new BsonString(encode(name.bytes()));
  }

  /** Returns the least possible key of a name with a prefix. */
  static BsonString first(String prefix) {
    return new BsonString(encode(LockName.utf8("The prefix", prefix)));
  }

  /** Returns a text greater than every key of a name with a prefix. */
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
   * @throws RuntimeException if it is not the key of a valid name
   */
  public static LockName name(String key) {
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
