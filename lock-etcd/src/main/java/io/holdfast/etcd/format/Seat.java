package io.holdfast.etcd.format;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import java.util.Optional;

/**
 * The seat after which a key in a queue and the marks beside it are called. A request has a seat of
 * its own, or the seat that all requests of its session for that lock and mode have, one after the
 * other.
 *
 * @param asked the mode that its request has asked for; a downgrade does not move it
 * @param serial that of the request whose own seat it is; 0 for the one of the session
 */
public record Seat(LockName name, LockMode asked, SessionId session, long serial) {

  private static final char EXCLUSIVE = 'x';
  private static final char SHARED = 's';
  private static final long OF_SESSION = 0;

  /** Returns the seat that no other request ever has. */
  public static Seat own(RequestKey key, LockMode asked) {
    return new Seat(key.name(), asked, key.request().session(), key.request().serial());
  }

  /** Returns the seat that a request has after others of its session. */
  public static Seat ofSession(RequestKey key, LockMode asked) {
    return new Seat(key.name(), asked, key.request().session(), OF_SESSION);
  }

  /** Reads what {@link #text} writes. */
  static Seat parse(LockName name, String text) {
    LockMode asked = asked(text.charAt(0));
    String rest = text.substring(1);
    if (rest.length() == SessionId.LENGTH) {
      return new Seat(name, asked, new SessionId(rest), OF_SESSION);
    }
    return own(new RequestKey(name, RequestId.parse(rest)), asked);
  }

  /** Returns what begins the text of all seats that a session has with one mode. */
  static String text(SessionId session, LockMode asked) {
    return marker(asked) + session.value();
  }

  static LockMode asked(char marker) {
    return marker == SHARED ? LockMode.SHARED : LockMode.EXCLUSIVE;
  }

  static char marker(LockMode asked) {
    return asked == LockMode.SHARED ? SHARED : EXCLUSIVE;
  }

  String text() {
    String ofSession = text(session, asked);
    return serial == OF_SESSION ? ofSession : ofSession + '-' + serial;
  }

  /** Returns the request whose own seat it is; empty if it is the one of the session. */
  public Optional<RequestId> request() {
    return serial == OF_SESSION ? Optional.empty() : Optional.of(new RequestId(session, serial));
  }
}
