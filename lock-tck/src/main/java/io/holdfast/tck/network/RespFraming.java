package io.holdfast.tck.network;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The protocol of Redis, RESP2 and RESP3. A request is an array, an answer is one value. A push of
 * the server counts as no answer in RESP3; in RESP2 it looks like one, so do not double messages of
 * a connection that subscribes.
 */
public final class RespFraming implements Framing {

  private static final int INCOMPLETE = -1;
  private static final char PUSH = '>';

  /** Makes the framing of one connection. */
  public RespFraming() {}

  @Override
  public Optional<Piece> first(Direction direction, ByteBuffer sent) {
    int end = end(sent, 0);
    if (end == INCOMPLETE) {
      return Optional.empty();
    }
    boolean pushed = sent.get(sent.position()) == PUSH;
    return Optional.of(new Piece(end, pushed ? Part.APART : Part.FIRST));
  }

  /** Returns where the value ends that begins there. */
  private static int end(ByteBuffer sent, int from) {
    int line = lineEnd(sent, from);
    if (line == INCOMPLETE) {
      return INCOMPLETE;
    }
    return switch ((char) sent.get(sent.position() + from)) {
      case '$', '=', '!' -> afterBytes(sent, line, number(sent, from + 1, line));
      case '*', '~', PUSH -> afterValues(sent, line, number(sent, from + 1, line));
      case '%' -> afterValues(sent, line, 2 * number(sent, from + 1, line));
      // Attributes, and then the value that they belong to.
      case '|' -> afterValues(sent, line, 2 * number(sent, from + 1, line) + 1);
      default -> line;
    };
  }

  private static int afterBytes(ByteBuffer sent, int from, int count) {
    int end = count < 0 ? from : from + count + 2;
    return end <= sent.remaining() ? end : INCOMPLETE;
  }

  private static int afterValues(ByteBuffer sent, int from, int count) {
    int end = from;
    for (int i = 0; i < count && end != INCOMPLETE; i++) {
      end = end(sent, end);
    }
    return end;
  }

  private static int lineEnd(ByteBuffer sent, int from) {
    for (int i = from; i < sent.remaining(); i++) {
      if (sent.get(sent.position() + i) == '\n') {
        return i + 1;
      }
    }
    return INCOMPLETE;
  }

  /** Reads what stands between there and the line's end. */
  private static int number(ByteBuffer sent, int from, int lineEnd) {
    StringBuilder digits = new StringBuilder();
    for (int i = from; i < lineEnd - 2; i++) {
      digits.append((char) sent.get(sent.position() + i));
    }
    return Integer.parseInt(digits.toString());
  }
}
