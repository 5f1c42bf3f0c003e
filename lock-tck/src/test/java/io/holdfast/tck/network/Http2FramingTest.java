package io.holdfast.tck.network;

import static io.holdfast.tck.network.Framing.Part.APART;
import static io.holdfast.tck.network.Framing.Part.FIRST;
import static io.holdfast.tck.network.Framing.Part.FURTHER;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.network.Framing.Piece;
import org.junit.jupiter.api.Test;

class Http2FramingTest {

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final char DATA = 0;
  private static final char HEADERS = 1;
  private static final char RST_STREAM = 3;
  private static final char SETTINGS = 4;
  private static final char PING = 6;
  private static final char CONTINUATION = 9;
  private static final char END = 1;

  private final Http2Framing framing = new Http2Framing();

  private static String frame(char type, int flags, int stream, String payload) {
    int length = payload.length();
    return "%c%c%c%c%c\0\0\0%c%s"
        .formatted(length >> 16, length >> 8 & 0xff, length & 0xff, type, flags, stream, payload);
  }

  @Test
  void theFirstPieceOfAConnectionIsThePreface() {
    assertThat(Pieces.isOneWhole(framing, Direction.TO_SERVER, Pieces.bytes(PREFACE))).isTrue();
  }

  @Test
  void aFrameIsWhole() {
    String frame = frame(DATA, 0, 1, "a".repeat(300));

    assertThat(Pieces.isOneWhole(framing, Direction.TO_CLIENT, Pieces.bytes(frame))).isTrue();
  }

  @Test
  void whatACallSendsIsARequest() {
    String sent =
        PREFACE
            + frame(SETTINGS, 0, 0, "")
            + frame(HEADERS, 0, 1, "h")
            + frame(DATA, END, 1, "data")
            + frame(PING, 0, 0, "12345678")
            + frame(HEADERS, 0, 3, "h")
            + frame(DATA, 0, 3, "one")
            + frame(DATA, 0, 3, "two")
            + frame(DATA, END, 3, "");

    assertThat(Pieces.all(framing, Direction.TO_SERVER, Pieces.bytes(sent)))
        .extracting(Piece::part)
        .containsExactly(APART, APART, APART, FIRST, APART, APART, FIRST, FIRST, APART);
  }

  @Test
  void anAnswerIsAllThatComesForACall() {
    String sent =
        frame(SETTINGS, 0, 0, "")
            + frame(HEADERS, 0, 1, "h")
            + frame(HEADERS, 0, 3, "h")
            + frame(DATA, 0, 1, "data")
            + frame(PING, 0, 0, "12345678")
            + frame(HEADERS, END, 1, "t")
            + frame(DATA, 0, 3, "data")
            + frame(HEADERS, END, 5, "error")
            + frame(CONTINUATION, 0, 5, "more")
            + frame(RST_STREAM, 0, 3, "code");

    assertThat(Pieces.all(framing, Direction.TO_CLIENT, Pieces.bytes(sent)))
        .extracting(Piece::part)
        .containsExactly(
            APART, FIRST, FIRST, FURTHER, APART, FURTHER, FURTHER, FIRST, FURTHER, APART);
  }
}
