package io.holdfast;

import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The identity of a session, unique for ever: an id is never used for a second session, not even
 * for the repetition of an opening that was not answered.
 *
 * @param value 32 lower-case hexadecimal digits
 */
public record SessionId(String value) {

  /** The length of every session id, in characters. */
  public static final int LENGTH = 32;

  private static final Pattern FORM = Pattern.compile("[0-9a-f]{" + LENGTH + "}");

  /** Checks the form. */
  public SessionId {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException("Not a session id: " + value);
    }
  }

  /** Returns an id that nobody had before. */
  public static SessionId fresh() {
    return new SessionId(UUID.randomUUID().toString().replace("-", ""));
  }

  @Override
  public String toString() {
    return value;
  }
}
