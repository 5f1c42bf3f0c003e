package io.holdfast.record;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a request: its session and a serial number within the session. A repeated verb
 * with the same id is the same request, never a second one.
 *
 * @param session the session that the request belongs to
 * @param serial positive, never used twice in one session
 */
public record RequestId(SessionId session, long serial) {

  /** Checks the serial number. */
  public RequestId {
    if (serial <= 0) {
      throw new IllegalArgumentException("Not a request's serial number: " + serial);
    }
  }

  /** Reads the text form that {@link #toString()} writes. */
  public static RequestId parse(String text) {
    int dash = text.indexOf('-');
    if (dash < 0) {
      throw new IllegalArgumentException("Not a request id: " + text);
    }
    return new RequestId(
        new SessionId(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
  }

  /** Written out, as in {@link LockName#hashCode()}. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RequestId id && id.serial == serial && id.session.equals(session);
  }

  /** Written out, as in {@link LockName#hashCode()}. */
  @Override
  public int hashCode() {
    return 31 * session.hashCode() + Long.hashCode(serial);
  }

  /** Returns the id as text: the session's 32 digits, a dash, the serial number in decimal. */
  @Override
  public String toString() {
    return session.value() + '-' + serial;
  }
}
