package io.holdfast.tck.network;

import io.holdfast.tck.network.Framing.Piece;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a framing makes of bytes. */
final class Pieces {

  private Pieces() {}

  /** Returns the bytes that have the numbers of these characters. */
  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Returns all pieces, which must be complete. */
  static List<Piece> all(Framing framing, Direction direction, ByteBuffer sent) {
    List<Piece> pieces = new ArrayList<>();
    while (sent.hasRemaining()) {
      Piece piece = framing.first(direction, sent.slice()).orElseThrow();
      pieces.add(piece);
      sent.position(sent.position() + piece.length());
    }
    return pieces;
  }

  /** Returns whether nothing less than the whole is a piece. */
  static boolean isOneWhole(Framing framing, Direction direction, ByteBuffer sent) {
    for (int length = 1; length < sent.remaining(); length++) {
      if (framing.first(direction, sent.slice(0, length)).isPresent()) {
        return false;
      }
    }
    return framing.first(direction, sent).orElseThrow().length() == sent.remaining();
  }
}
