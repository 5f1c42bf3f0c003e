package io.holdfast.tck.network;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The protocol of MariaDB and MySQL, without encryption and compression. Packets carry a number
 * which begins again with each command: a command is number 0, the first packet of its answer is
 * number 1. An answer of 256 packets is taken for a part of the next one.
 */
public final class MariadbFraming implements Framing {

  private static final int HEADER = 4;
  private static final int PAYLOAD_MAX = 0xffffff;
  private static final int BYTE = 0xff;

  private static final int QUIT = 0x01;
  private static final int SEND_LONG_DATA = 0x18;
  private static final int CLOSE_STATEMENT = 0x19;

  private boolean hasAnswered;
  private int lastNumber;

  /** Makes the framing of one connection. */
  public MariadbFraming() {}

  @Override
  public Optional<Piece> first(Direction direction, ByteBuffer sent) {
    int length = 0;
    int payload = PAYLOAD_MAX;
    // A message that does not fit into one packet goes on in the next.
    while (payload == PAYLOAD_MAX) {
      if (sent.remaining() < length + HEADER) {
        return Optional.empty();
      }
      payload = payloadAt(sent, length);
      length += HEADER + payload;
    }
    if (sent.remaining() < length) {
      return Optional.empty();
    }
    int number = byteAt(sent, HEADER - 1);
    return Optional.of(
        new Piece(
            length, direction == Direction.TO_SERVER ? request(sent, number) : answer(number)));
  }

  private static Part request(ByteBuffer sent, int number) {
    if (number != 0 || payloadAt(sent, 0) == 0) {
      return Part.APART;
    }
    return switch (byteAt(sent, HEADER)) {
      case QUIT, SEND_LONG_DATA, CLOSE_STATEMENT -> Part.APART;
      default -> Part.FIRST;
    };
  }

  private Part answer(int number) {
    // Number 1 comes after 0 in the middle of an answer that has more packets than there are
    // numbers, but never while logging in.
    boolean isFirst = number == 1 && lastNumber != 0;
    lastNumber = number;
    hasAnswered |= isFirst;
    if (isFirst) {
      return Part.FIRST;
    }
    return hasAnswered ? Part.FURTHER : Part.APART;
  }

  /** Three bytes, the least significant first. */
  private static int payloadAt(ByteBuffer sent, int at) {
    return byteAt(sent, at) | byteAt(sent, at + 1) << 8 | byteAt(sent, at + 2) << 16;
  }

  private static int byteAt(ByteBuffer sent, int at) {
    return sent.get(sent.position() + at) & BYTE;
  }
}
