package io.holdfast.tck.network;

import static io.holdfast.tck.network.Framing.Part.APART;
import static io.holdfast.tck.network.Framing.Part.FIRST;
import static io.holdfast.tck.network.Framing.Part.FURTHER;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.network.Framing.Part;
import io.holdfast.tck.network.Framing.Piece;
import java.util.List;
import org.junit.jupiter.api.Test;

class MariadbFramingTest {

  private static final int PAYLOAD_MAX = 0xffffff;

  private final MariadbFraming framing = new MariadbFraming();

  private static String packet(int number, String payload) {
    int length = payload.length();
    return ""
        + (char) (length & 0xff)
        + (char) (length >> 8 & 0xff)
        + (char) (length >> 16)
        + (char) number
        + payload;
  }

  private List<Part> parts(Direction direction, String... packets) {
    return Pieces.all(framing, direction, Pieces.bytes(String.join("", packets))).stream()
        .map(Piece::part)
        .toList();
  }

  private void logIn() {
    assertThat(parts(Direction.TO_CLIENT, packet(0, "greeting"))).containsExactly(APART);
    assertThat(parts(Direction.TO_SERVER, packet(1, "user"))).containsExactly(APART);
    assertThat(parts(Direction.TO_CLIENT, packet(2, "OK"))).containsExactly(APART);
  }

  @Test
  void aCommandIsARequestUnlessItIsNotAnswered() {
    logIn();

    assertThat(
            parts(
                Direction.TO_SERVER,
                packet(0, "\3SELECT 1"),
                packet(0, "\31\1\0\0\0"),
                packet(0, "\30data"),
                packet(0, "\1")))
        .containsExactly(FIRST, APART, APART, APART);
  }

  @Test
  void anAnswerBeginsWithNumberOne() {
    logIn();

    assertThat(
            parts(
                Direction.TO_CLIENT,
                packet(1, "OK"),
                packet(1, "columns"),
                packet(2, "row"),
                packet(3, "end"),
                packet(1, "OK")))
        .containsExactly(FIRST, FIRST, FURTHER, FURTHER, FIRST);
  }

  @Test
  void anAnswerOfMorePacketsThanThereAreNumbersIsOne() {
    logIn();
    parts(Direction.TO_CLIENT, packet(1, "columns"));

    assertThat(parts(Direction.TO_CLIENT, packet(255, "row"), packet(0, "row"), packet(1, "row")))
        .containsOnly(FURTHER);
  }

  @Test
  void whatIsNotCompleteIsWaitedFor() {
    assertThat(
            Pieces.isOneWhole(framing, Direction.TO_SERVER, Pieces.bytes(packet(0, "\3SELECT 1"))))
        .isTrue();
  }

  @Test
  void whatDoesNotFitIntoOnePacketIsOneRequest() {
    String first = packet(0, "\3" + "x".repeat(PAYLOAD_MAX - 1));
    String last = packet(1, "y");

    assertThat(framing.first(Direction.TO_SERVER, Pieces.bytes(first))).isEmpty();
    assertThat(Pieces.all(framing, Direction.TO_SERVER, Pieces.bytes(first + last)))
        .containsExactly(new Piece(first.length() + last.length(), FIRST));
  }
}
