package io.holdfast;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a session, unique for ever. An id is never used for a second session, not even to
 * repeat an opening that the store did not answer.
 *
 * @param value 32 lower-case hexadecimal digits
 */
public record SessionId(String value) {

  /** The length of every session id, in characters. */
  public static final int LENGTH = 32;

  private static final int CLIENT_LENGTH = LENGTH / 2;

  /**
   * Where {@link java.security.SecureRandom} has its numbers from, too. That takes a JVM longer to
   * start than to open a session does.
   */
  private static final String KERNEL = "/dev/urandom";

  private static final Pattern FORM = Pattern.compile("[0-9a-f]{" + LENGTH + "}");

  /** Checks the form. */
  public SessionId {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException("Not a session id: " + value);
    }
  }

  /** Returns a new id, which no session has had before. */
  public static SessionId fresh() {
    try (InputStream random = new FileInputStream(KERNEL)) {
      byte[] bytes = random.readNBytes(LENGTH / 2);
      if (bytes.length == LENGTH / 2) {
        return new SessionId(HexFormat.of().formatHex(bytes));
      }
    } catch (IOException e) {
      // No such system: below is the way that every JVM has.
    }
    return new SessionId(UUID.randomUUID().toString().replace("-", ""));
  }

  /**
   * Returns a new id of the same client: the first half is its, the second one is new. So others
   * can tell that two sessions wait for the same threads.
   */
  public SessionId sibling() {
    return new SessionId(client() + fresh().value.substring(CLIENT_LENGTH));
  }

  /**
   * Returns what the sessions that one client has opened have in common, and those of no other
   * client.
   */
  public String client() {
    return value.substring(0, CLIENT_LENGTH);
  }

  /** Written out, as in {@link LockName#hashCode()}. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SessionId id && id.value.equals(value);
  }

  /** Written out, as in {@link LockName#hashCode()}. */
  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return value;
  }
}
