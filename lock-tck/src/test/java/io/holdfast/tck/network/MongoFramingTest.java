package io.holdfast.tck.network;

import static io.holdfast.tck.network.Framing.Part.APART;
import static io.holdfast.tck.network.Framing.Part.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.network.Framing.Part;
import io.holdfast.tck.network.Framing.Piece;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class MongoFramingTest {

  private static final int REPLY = 1;
  private static final int QUERY = 2004;
  private static final int MESSAGE = 2013;
  private static final int NOT_ANSWERED = 2;
  private static final int ANSWERED_AGAIN = 1 << 16;

  private final MongoFraming framing = new MongoFraming();

  private static ByteBuffer message(int number, int answered, int operation, int flags) {
    ByteBuffer message = ByteBuffer.allocate(25).order(ByteOrder.LITTLE_ENDIAN);
    message.putInt(message.capacity()).putInt(number).putInt(answered).putInt(operation);
    return message.putInt(flags).rewind();
  }

  private static ByteBuffer request(int number, int flags) {
    return message(number, 0, MESSAGE, flags);
  }

  private static ByteBuffer answer(int number, int answered) {
    return message(number, answered, MESSAGE, 0);
  }

  private Part part(Direction direction, ByteBuffer message) {
    List<Piece> pieces = Pieces.all(framing, direction, message);
    assertThat(pieces).hasSize(1);
    return pieces.get(0).part();
  }

  @Test
  void aCommandIsARequestAndWhatAnswersItIsItsAnswer() {
    assertThat(part(Direction.TO_SERVER, request(7, 0))).isEqualTo(FIRST);
    assertThat(part(Direction.TO_CLIENT, answer(900, 7))).isEqualTo(FIRST);
  }

  @Test
  void whatIsNotAnsweredIsNoRequest() {
    assertThat(part(Direction.TO_SERVER, request(7, NOT_ANSWERED))).isEqualTo(APART);
  }

  @Test
  void theGreetingOfAConnectionIsNeither() {
    assertThat(part(Direction.TO_SERVER, message(1, 0, QUERY, 0))).isEqualTo(APART);
    assertThat(part(Direction.TO_CLIENT, message(900, 1, REPLY, 0))).isEqualTo(APART);
  }

  @Test
  void aGreetingThatIsAnsweredAgainAndAgainIsNeither() {
    assertThat(part(Direction.TO_SERVER, request(7, ANSWERED_AGAIN))).isEqualTo(APART);
    assertThat(part(Direction.TO_CLIENT, answer(900, 7))).isEqualTo(APART);
    assertThat(part(Direction.TO_CLIENT, answer(901, 900))).isEqualTo(APART);
    assertThat(part(Direction.TO_CLIENT, answer(902, 901))).isEqualTo(APART);

    assertThat(part(Direction.TO_SERVER, request(8, 0))).isEqualTo(FIRST);
    assertThat(part(Direction.TO_CLIENT, answer(903, 8))).isEqualTo(FIRST);
  }

  @Test
  void whatIsNotCompleteIsWaitedFor() {
    assertThat(Pieces.isOneWhole(framing, Direction.TO_SERVER, request(7, 0))).isTrue();
    assertThat(Pieces.isOneWhole(framing, Direction.TO_CLIENT, answer(900, 7))).isTrue();
  }
}
