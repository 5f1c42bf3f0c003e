package io.holdfast.tck.network;

import static io.holdfast.tck.network.Framing.Part.APART;
import static io.holdfast.tck.network.Framing.Part.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.network.Framing.Piece;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespFramingTest {

  private final RespFraming framing = new RespFraming();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+OK\r\n",
        "-ERR no\r\n",
        ":-12\r\n",
        "$5\r\na\r\nbc\r\n",
        "$-1\r\n",
        "*-1\r\n",
        "*0\r\n",
        "*2\r\n$1\r\na\r\n*1\r\n:1\r\n",
        "%1\r\n+a\r\n~2\r\n#t\r\n_\r\n",
        "|1\r\n+ttl\r\n:3\r\n,1.5\r\n",
        ">2\r\n+message\r\n$0\r\n\r\n",
        "=7\r\ntxt:abc\r\n"
      })
  void aValueIsWhole(String value) {
    assertThat(Pieces.isOneWhole(framing, Direction.TO_CLIENT, Pieces.bytes(value))).isTrue();
  }

  @Test
  void everyArrayIsARequest() {
    String request = "*2\r\n$3\r\nGET\r\n$1\r\na\r\n";

    assertThat(Pieces.all(framing, Direction.TO_SERVER, Pieces.bytes(request + request)))
        .containsOnly(new Piece(request.length(), FIRST))
        .hasSize(2);
  }

  @Test
  void whatIsPushedIsNoAnswer() {
    assertThat(
            Pieces.all(framing, Direction.TO_CLIENT, Pieces.bytes("+a\r\n>1\r\n+b\r\n$1\r\nc\r\n")))
        .extracting(Piece::part)
        .containsExactly(FIRST, APART, FIRST);
  }
}
