package io.holdfast.tck.network;

import static io.holdfast.tck.network.Framing.Part.APART;
import static io.holdfast.tck.network.Framing.Part.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.network.Framing.Part;
import io.holdfast.tck.network.Framing.Piece;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ZookeeperFramingTest {

  private final ZookeeperFraming framing = new ZookeeperFraming();

  private static String packet(int number, String payload) {
    byte[] bytes =
        ByteBuffer.allocate(8 + payload.length())
            .putInt(4 + payload.length())
            .putInt(number)
            .put(payload.getBytes(StandardCharsets.ISO_8859_1))
            .array();
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private List<Part> parts(Direction direction, String... packets) {
    return Pieces.all(framing, direction, Pieces.bytes(String.join("", packets))).stream()
        .map(Piece::part)
        .toList();
  }

  @Test
  void theHandshakeIsNoRequestWhateverItsFirstNumber() {
    assertThat(parts(Direction.TO_SERVER, packet(1, "connect"), packet(1, "create")))
        .containsExactly(APART, FIRST);
    assertThat(parts(Direction.TO_CLIENT, packet(1, "connected"), packet(1, "created")))
        .containsExactly(APART, FIRST);
  }

  @Test
  void pingsAndLoginsAndEventsAreApart() {
    parts(Direction.TO_SERVER, packet(0, "connect"));
    parts(Direction.TO_CLIENT, packet(0, "connected"));

    assertThat(parts(Direction.TO_SERVER, packet(-4, "auth"), packet(-2, ""), packet(7, "close")))
        .containsExactly(APART, APART, FIRST);
    assertThat(
            parts(
                Direction.TO_CLIENT, packet(-2, "pong"), packet(-1, "event"), packet(7, "closed")))
        .containsExactly(APART, APART, FIRST);
  }

  @Test
  void whatIsNotCompleteIsWaitedFor() {
    parts(Direction.TO_SERVER, packet(0, "connect"));

    assertThat(Pieces.isOneWhole(framing, Direction.TO_SERVER, Pieces.bytes(packet(1, "create"))))
        .isTrue();
  }
}
