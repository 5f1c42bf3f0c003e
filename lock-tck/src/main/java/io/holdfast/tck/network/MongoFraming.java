package io.holdfast.tck.network;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The protocol of MongoDB, without encryption and compression. The driver greets in the old form,
 * which counts as logging in; commands and their answers have the new one. A driver that watches a
 * server asks it to answer again and again: these greetings count as neither.
 */
public final class MongoFraming implements Framing {

  private static final int HEADER = 16;
  private static final int LENGTH_AT = 0;
  private static final int NUMBER_AT = 4;
  private static final int ANSWERED_AT = 8;
  private static final int OPERATION_AT = 12;
  private static final int FLAGS_AT = HEADER;

  private static final int MESSAGE = 2013;
  private static final int MORE_TO_COME = 1 << 1;
  private static final int EXHAUST_ALLOWED = 1 << 16;

  /** To which message the next answer to a driver that watches will be: its own one before. */
  private int watching;

  /** Makes the framing of one connection. */
  public MongoFraming() {}

  @Override
  public Optional<Piece> first(Direction direction, ByteBuffer sent) {
    ByteBuffer message = sent.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (message.remaining() < HEADER || message.remaining() < message.getInt(LENGTH_AT)) {
      return Optional.empty();
    }
    return Optional.of(
        new Piece(
            message.getInt(LENGTH_AT),
            direction == Direction.TO_SERVER ? request(message) : answer(message)));
  }

  private Part request(ByteBuffer message) {
    if (message.getInt(OPERATION_AT) != MESSAGE) {
      return Part.APART;
    }
    int flags = message.getInt(FLAGS_AT);
    if ((flags & EXHAUST_ALLOWED) != 0) {
      watching = message.getInt(NUMBER_AT);
      return Part.APART;
    }
    return (flags & MORE_TO_COME) == 0 ? Part.FIRST : Part.APART;
  }

  private Part answer(ByteBuffer message) {
    if (message.getInt(OPERATION_AT) != MESSAGE) {
      return Part.APART;
    }
    if (message.getInt(ANSWERED_AT) != watching) {
      return Part.FIRST;
    }
    watching = message.getInt(NUMBER_AT);
    return Part.APART;
  }
}
