package io.holdfast.tck.network;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Any protocol, of which nothing is known. */
final class NoFraming implements Framing {

  @Override
  public Optional<Piece> first(Direction direction, ByteBuffer sent) {
    return Optional.of(new Piece(sent.remaining(), Part.APART));
  }

  @Override
  public boolean messagesStandAlone() {
    return false;
  }

  @Override
  public boolean knowsMessages() {
    return false;
  }
}
