package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.Request;
import org.junit.jupiter.api.Test;

class QueueTextTest {

  private static final SessionId SESSION = SessionId.fresh();

  private static Request request(long serial, String process, String why, Payload payload) {
    return Request.of(
            new LockName("any"), new RequestId(SESSION, serial), new ProcessIdentity(process))
        .why(why)
        .with(payload);
  }

  @Test
  void whatIsWrittenIsReadAgainInOrder() {
    byte[] everyByte = new byte[256];
    for (int i = 0; i < everyByte.length; i++) {
      everyByte[i] = (byte) i;
    }
    Request first = request(1, "!,;'\"", "é;!,\n", Payload.of(everyByte));
    Request second = request(2, "host:1", "", Payload.EMPTY);

    var entries = QueueText.parse(QueueText.entry(first) + QueueText.entry(second));

    assertThat(entries)
        .containsExactly(
            new QueueEntry(first.id(), first.mode(), first.process(), first.why(), first.payload()),
            new QueueEntry(
                second.id(), second.mode(), second.process(), second.why(), second.payload()));
  }

  @Test
  void separatorsOccurInNoField() {
    String entry = QueueText.entry(request(7, "!,;", "!,;!,;", Payload.ofText("!,;")));

    assertThat(entry).startsWith("!").endsWith(";").isASCII();
    assertThat(entry.chars().filter(c -> c == '!')).hasSize(1);
    assertThat(entry.chars().filter(c -> c == ';')).hasSize(1);
    assertThat(entry.chars().filter(c -> c == ',')).hasSize(4);
  }

  @Test
  void aMarkMatchesNoRequestWhoseNumberBeginsOrEndsAlike() {
    String queue = QueueText.entry(request(11, "p", "", Payload.EMPTY));

    assertThat(QueueText.markOf(queue)).isEqualTo(QueueText.mark(new RequestId(SESSION, 11)));
    assertThat(queue).contains(QueueText.mark(new RequestId(SESSION, 11)));
    assertThat(queue).doesNotContain(QueueText.mark(new RequestId(SESSION, 1)));
    assertThat(queue).doesNotContain(QueueText.mark(new RequestId(SESSION, 111)));
  }

  @Test
  void theSessionOfTheHeadIsFoundByItsPlace() {
    String queue = QueueText.entry(request(3, "p", "", Payload.EMPTY));

    assertThat(queue.substring(1, 33)).isEqualTo(SESSION.value());
  }

  @Test
  void requestsAreReadFromTheHeadOnUpToALimit() {
    String queue =
        QueueText.entry(request(5, "p", "", Payload.EMPTY))
            + QueueText.entry(request(6, "p", "", Payload.EMPTY))
            + QueueText.entry(request(7, "p", "", Payload.EMPTY));

    assertThat(QueueText.requests(queue, 2))
        .containsExactly(new RequestId(SESSION, 5), new RequestId(SESSION, 6));
    assertThat(QueueText.requests("", 2)).isEmpty();
    assertThat(
            QueueText.countBefore(queue, queue.indexOf(QueueText.mark(new RequestId(SESSION, 7)))))
        .isEqualTo(2);
  }

  @Test
  void whatIsNoQueueIsNotRead() {
    assertThatThrownBy(() -> QueueText.parse("nonsense"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> QueueText.parse("!" + SESSION + "-1,x,,;"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
