package io.holdfast.tck.network;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The protocol of ZooKeeper, without encryption. Each side begins with one packet of the handshake;
 * then requests and answers are numbered from 1 on, and what is none of them has numbers below
 * zero: pings, logging in, events.
 */
public final class ZookeeperFraming implements Framing {

  private static final int LENGTH = 4;
  private static final int NUMBER = 4;

  private boolean clientHasBegun;
  private boolean serverHasBegun;

  /** Makes the framing of one connection. */
  public ZookeeperFraming() {}

  @Override
  public Optional<Piece> first(Way way, ByteBuffer sent) {
    if (sent.remaining() < LENGTH + NUMBER) {
      return Optional.empty();
    }
    int length = LENGTH + sent.getInt(sent.position());
    if (sent.remaining() < length) {
      return Optional.empty();
    }
    boolean isNumbered = hasBegun(way) && sent.getInt(sent.position() + LENGTH) > 0;
    begin(way);
    return Optional.of(new Piece(length, isNumbered ? Part.FIRST : Part.APART));
  }

  private boolean hasBegun(Way way) {
    return way == Way.TO_SERVER ? clientHasBegun : serverHasBegun;
  }

  private void begin(Way way) {
    if (way == Way.TO_SERVER) {
      clientHasBegun = true;
    } else {
      serverHasBegun = true;
    }
  }
}
