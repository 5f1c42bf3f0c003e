package io.holdfast.tck.network;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Tells where the messages of one connection end. One for each connection, and asked in the order
 * in which the bytes come. Requests are told whole, answers piece by piece, so that nothing is kept
 * waiting.
 */
public interface Framing {

  /** Which part of the exchange of requests and answers a piece is. */
  enum Part {
    /** A whole request which will be answered once; or the first piece of an answer. */
    FIRST,
    /** A further piece of the same answer. */
    FURTHER,
    /** Neither: logging in, messages without an answer, those that the server sends unasked. */
    APART
  }

  /**
   * The first bytes of what was sent.
   *
   * @param length how many
   * @param part which part they are
   */
  record Piece(int length, Part part) {}

  /**
   * Returns what comes first of what one side has sent, empty if that is not complete yet.
   *
   * @param sent what was not told yet, from its position to its limit
   */
  Optional<Piece> first(Direction direction, ByteBuffer sent);

  /**
   * Returns whether a message can be missing, or come twice, and what follows it is understood all
   * the same. Otherwise a loss takes along all that follows it the same way, and nothing comes
   * twice.
   */
  default boolean messagesStandAlone() {
    return true;
  }

  /** Returns whether it can tell one message from the next at all. */
  default boolean knowsMessages() {
    return true;
  }

  /**
   * Returns a framing that knows no messages: bytes pass as they come. Enough for every rule about
   * networks that are cut, silent or slow; rules about single messages are not proved with it.
   */
  static Framing none() {
    return new NoFraming();
  }
}
