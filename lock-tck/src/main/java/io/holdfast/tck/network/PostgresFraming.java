package io.holdfast.tck.network;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * PostgreSQL's protocol, version 3. A request is all up to a Sync or Query, an answer all up to
 * ReadyForQuery.
 */
public final class PostgresFraming implements Framing {

  private static final int LENGTH_BYTES = 4;
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;

  /** How the server's answer to a request for encryption begins that is no ordinary message. */
  private static final String ENCRYPTION_ANSWERS = "SNG";

  /** The messages that end a request that is answered. */
  private static final String REQUEST_ENDS = "SQF";

  /** Terminate, and the steps of logging in. */
  private static final String UNANSWERED = "Xp";

  /** Notifications, notices and changed settings: may come unasked. */
  private static final String UNASKED = "ANS";

  private static final char READY = 'Z';

  private boolean hasStarted;
  private boolean asksForEncryption;
  private boolean isLoggedIn;
  private boolean answering;

  /** Makes the framing of one connection. */
  public PostgresFraming() {}

  @Override
  public Optional<Piece> first(Direction direction, ByteBuffer sent) {
    return direction == Direction.TO_SERVER ? request(sent) : answer(sent);
  }

  private Optional<Piece> request(ByteBuffer sent) {
    if (!hasStarted) {
      return start(sent);
    }
    int length = 0;
    while (isMessage(sent, length)) {
      char type = (char) sent.get(sent.position() + length);
      length += 1 + sent.getInt(sent.position() + length + 1);
      if (REQUEST_ENDS.indexOf(type) >= 0) {
        return Optional.of(new Piece(length, Part.FIRST));
      } else if (UNANSWERED.indexOf(type) >= 0) {
        return Optional.of(new Piece(length, Part.APART));
      }
    }
    return Optional.empty();
  }

  /** The first messages have no type. */
  private Optional<Piece> start(ByteBuffer sent) {
    if (sent.remaining() < 2 * LENGTH_BYTES) {
      return Optional.empty();
    }
    int length = sent.getInt(sent.position());
    if (sent.remaining() < length) {
      return Optional.empty();
    }
    int code = sent.getInt(sent.position() + LENGTH_BYTES);
    asksForEncryption = code == SSL_REQUEST || code == GSS_REQUEST;
    hasStarted = !asksForEncryption;
    return Optional.of(new Piece(length, Part.APART));
  }

  private Optional<Piece> answer(ByteBuffer sent) {
    if (asksForEncryption && ENCRYPTION_ANSWERS.indexOf(sent.get(sent.position())) >= 0) {
      asksForEncryption = false;
      return Optional.of(new Piece(1, Part.APART));
    }
    if (!isMessage(sent, 0)) {
      return Optional.empty();
    }
    char type = (char) sent.get(sent.position());
    return Optional.of(new Piece(1 + sent.getInt(sent.position() + 1), part(type)));
  }

  private Part part(char type) {
    boolean first = !answering;
    if (!isLoggedIn) {
      isLoggedIn = type == READY;
      return Part.APART;
    } else if (first && UNASKED.indexOf(type) >= 0) {
      return Part.APART;
    }
    answering = type != READY;
    return first ? Part.FIRST : Part.FURTHER;
  }

  /** Returns whether a whole message begins there: its type, then its length but for the type. */
  private static boolean isMessage(ByteBuffer sent, int at) {
    int left = sent.remaining() - at;
    return left > LENGTH_BYTES && left > sent.getInt(sent.position() + at + 1);
  }
}
