package io.holdfast.tck.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.network.Framing.Part;
import io.holdfast.tck.network.Framing.Piece;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PostgresFramingTest {

  private final PostgresFraming framing = new PostgresFraming();

  private static byte[] untyped(int code) {
    return ByteBuffer.allocate(12).putInt(12).putInt(code).putInt(0).array();
  }

  private static byte[] message(char type, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
    return ByteBuffer.allocate(5 + bytes.length)
        .put((byte) type)
        .putInt(4 + bytes.length)
        .put(bytes)
        .array();
  }

  private static ByteBuffer together(byte[]... messages) {
    int length = 0;
    for (byte[] message : messages) {
      length += message.length;
    }
    ByteBuffer all = ByteBuffer.allocate(length);
    for (byte[] message : messages) {
      all.put(message);
    }
    return all.flip();
  }

  private List<Piece> split(Direction direction, byte[]... messages) {
    return Pieces.all(framing, direction, together(messages));
  }

  private void logIn() {
    split(Direction.TO_SERVER, untyped(196608));
    assertThat(
            split(
                Direction.TO_CLIENT,
                message('R', "\0\0\0\0"),
                message('S', "a"),
                message('K', "12345678"),
                message('Z', "I")))
        .extracting(Piece::part)
        .containsOnly(Part.APART);
  }

  @Test
  void whoAsksForEncryptionIsAnsweredWithOneByte() {
    assertThat(split(Direction.TO_SERVER, untyped(80877103)))
        .containsExactly(new Piece(12, Part.APART));
    assertThat(split(Direction.TO_CLIENT, new byte[] {'N'}))
        .containsExactly(new Piece(1, Part.APART));
    logIn();
  }

  @Test
  void aPasswordIsNoRequest() {
    split(Direction.TO_SERVER, untyped(196608));
    split(Direction.TO_CLIENT, message('R', "\0\0\0\3"));

    assertThat(split(Direction.TO_SERVER, message('p', "secret")))
        .containsExactly(new Piece(11, Part.APART));
  }

  @Test
  void aRequestIsAllUpToSyncAndAnAnswerAllUpToReady() {
    logIn();

    assertThat(
            split(
                Direction.TO_SERVER,
                message('P', "text"),
                message('B', ""),
                message('E', ""),
                message('S', ""),
                message('Q', "text"),
                message('X', "")))
        .containsExactly(
            new Piece(24, Part.FIRST), new Piece(9, Part.FIRST), new Piece(5, Part.APART));
    assertThat(
            split(
                Direction.TO_CLIENT,
                message('1', ""),
                message('N', "hint"),
                message('Z', "I"),
                message('A', "news"),
                message('C', "x"),
                message('Z', "I")))
        .extracting(Piece::part)
        .containsExactly(
            Part.FIRST, Part.FURTHER, Part.FURTHER, Part.APART, Part.FIRST, Part.FURTHER);
  }

  @Test
  void whatIsNotCompleteIsWaitedFor() {
    logIn();
    byte[] parse = message('P', "text");
    ByteBuffer all = together(parse, message('S', ""));

    assertThat(Pieces.isOneWhole(framing, Direction.TO_SERVER, all)).isTrue();
    assertThat(framing.first(Direction.TO_SERVER, all))
        .isEqualTo(Optional.of(new Piece(all.limit(), Part.FIRST)));
  }
}
