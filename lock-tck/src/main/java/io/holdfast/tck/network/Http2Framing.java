package io.holdfast.tck.network;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * HTTP/2 without encryption, as gRPC uses it: a request is what a call sends at once, an answer all
 * that comes for one call. Calls share the connection and the compression of their headers, so that
 * none of its frames can be missing.
 */
public final class Http2Framing implements Framing {

  private static final int PREFACE = 24;
  private static final int HEADER = 9;
  private static final int BYTE = 0xff;

  private static final int TYPE_AT = 3;
  private static final int FLAGS_AT = 4;
  private static final int STREAM_AT = 5;

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int CONTINUATION = 9;
  private static final int END_STREAM = 1;

  private boolean hasBegun;

  /** The calls whose answers have begun and not ended. */
  private final Set<Integer> answering = new HashSet<>();

  /** Makes the framing of one connection. */
  public Http2Framing() {}

  @Override
  public boolean messagesStandAlone() {
    return false;
  }

  @Override
  public Optional<Piece> first(Direction direction, ByteBuffer sent) {
    if (direction == Direction.TO_SERVER && !hasBegun) {
      hasBegun = sent.remaining() >= PREFACE;
      return hasBegun ? Optional.of(new Piece(PREFACE, Part.APART)) : Optional.empty();
    }
    if (sent.remaining() < HEADER) {
      return Optional.empty();
    }
    int payload = byteAt(sent, 0) << 16 | byteAt(sent, 1) << 8 | byteAt(sent, 2);
    if (sent.remaining() < HEADER + payload) {
      return Optional.empty();
    }
    Part part = direction == Direction.TO_SERVER ? request(sent, payload) : answer(sent);
    return Optional.of(new Piece(HEADER + payload, part));
  }

  /** The header only says which call it is; without data, that nothing more comes. */
  private static Part request(ByteBuffer sent, int payload) {
    return byteAt(sent, TYPE_AT) == DATA && payload > 0 ? Part.FIRST : Part.APART;
  }

  private Part answer(ByteBuffer sent) {
    int stream = sent.getInt(sent.position() + STREAM_AT);
    boolean isFirst;
    switch (byteAt(sent, TYPE_AT)) {
      case HEADERS -> isFirst = answering.add(stream);
      case DATA, CONTINUATION -> isFirst = false;
      case RST_STREAM -> {
        answering.remove(stream);
        return Part.APART;
      }
      default -> {
        return Part.APART;
      }
    }
    if ((byteAt(sent, FLAGS_AT) & END_STREAM) != 0) {
      answering.remove(stream);
    }
    return isFirst ? Part.FIRST : Part.FURTHER;
  }

  private static int byteAt(ByteBuffer sent, int at) {
    return sent.get(sent.position() + at) & BYTE;
  }
}
