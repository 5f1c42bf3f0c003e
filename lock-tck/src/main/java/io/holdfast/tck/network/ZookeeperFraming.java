package io.holdfast.tck.network;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The protocol of ZooKeeper, without encryption. Each side begins with one packet of the handshake;
 * then requests and answers are numbered from 1 on, and all else has numbers below zero: pings,
 * logging in, events.
 */
public final class ZookeeperFraming implements Framing {

  private static final int LENGTH = 4;
  private static final int NUMBER = 4;

  private boolean clientHasBegun;
  private boolean serverHasBegun;

  /** Makes the framing of one connection. */
  public ZookeeperFraming() {}

  @Override
  public Optional<Piece> first(Direction direction, ByteBuffer sent) {
    if (sent.remaining() < LENGTH + NUMBER) {
      return Optional.empty();
    }
    int length = LENGTH + sent.getInt(sent.position());
    if (sent.remaining() < length) {
      return Optional.empty();
    }
    boolean isNumbered = hasBegun(direction) && sent.getInt(sent.position() + LENGTH) > 0;
    begin(direction);
    return Optional.of(new Piece(length, isNumbered ? Part.FIRST : Part.APART));
  }

  private boolean hasBegun(Direction direction) {
    return direction == Direction.TO_SERVER ? clientHasBegun : serverHasBegun;
  }

  private void begin(Direction direction) {
    if (direction == Direction.TO_SERVER) {
      clientHasBegun = true;
    } else {
      serverHasBegun = true;
    }
  }
}
