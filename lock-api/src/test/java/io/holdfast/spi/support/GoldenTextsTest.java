package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The text forms that stores keep, against a golden text of each protocol version. The golden texts
 * lie in the kit, where the adapters' tests of stored formats find them: SQL and scripts read and
 * write the same texts.
 */
class GoldenTextsTest {

  private static final Path GOLDEN =
      Path.of("..", "lock-tck", "src", "main", "resources", "io", "holdfast", "tck", "format");

  private static final SessionId HOLDER = new SessionId("0123456789abcdef0123456789abcdef");
  private static final SessionId FIRST = new SessionId("fedcba9876543210fedcba9876543210");
  private static final SessionId SECOND = new SessionId("00000000000000000000000000000001");

  private static final byte[] BYTES = {0, '\n', '\r', ' ', '!', ',', ';', '\\', 0x7f, -128, -1};

  private static final List<Request> REQUESTS =
      List.of(
          request(HOLDER, 1, "h\u00f6st:1 !,;", "holds: \u00e9!,;\n\"'\\ ", Payload.of(BYTES)),
          request(FIRST, 11, "host:2", "waits", Payload.ofText("10.0.0.2:8080")),
          request(SECOND, 1, "host:3", "", Payload.EMPTY));

  private static Request request(
      SessionId session, int serial, String process, String why, Payload payload) {
    return Request.of(
            new LockName("orders/42"), new RequestId(session, serial), new ProcessIdentity(process))
        .why(why)
        .with(payload);
  }

  private static NamespaceText namespace(int protocol) {
    return new NamespaceText(
        new NamespaceSettings(protocol, 1, Duration.ofSeconds(90), Duration.ofMillis(1_500)),
        1_700_000_000_000_000L);
  }

  static IntStream versions() {
    return IntStream.rangeClosed(1, NamespaceSettings.PROTOCOL);
  }

  private static String golden(String name, int protocol) throws IOException {
    Path file = GOLDEN.resolve("%s-v%d.txt".formatted(name, protocol));
    assertThat(file)
        .as("Each protocol version has a golden text, and the older ones stay")
        .exists();
    return Files.readString(file);
  }

  private static String goldenQueue(int protocol) throws IOException {
    return golden("queue-text", protocol).replace("\n", "");
  }

  private static String changed(String name) {
    return "the stored format changed: raise the protocol version, and add %s-v%d.txt to lock-tck"
        .formatted(name, NamespaceSettings.PROTOCOL + 1);
  }

  @Test
  void whatIsWrittenChangesOnlyWithTheProtocolVersion() throws IOException {
    assertThat(REQUESTS.stream().map(QueueText::entry).collect(Collectors.joining()))
        .as(changed("queue-text"))
        .isEqualTo(goldenQueue(NamespaceSettings.PROTOCOL));
    assertThat(namespace(NamespaceSettings.PROTOCOL).encode())
        .as(changed("namespace-text"))
        .isEqualTo(golden("namespace-text", NamespaceSettings.PROTOCOL));
  }

  @ParameterizedTest
  @MethodSource("versions")
  void queuesOfEveryVersionAreRead(int protocol) throws IOException {
    String queue = goldenQueue(protocol);
    List<RequestId> ids = REQUESTS.stream().map(Request::id).toList();

    assertThat(QueueText.parse(queue))
        .isEqualTo(
            REQUESTS.stream()
                .map(
                    request ->
                        new QueueEntry(
                            request.id(),
                            request.mode(),
                            request.process(),
                            request.why(),
                            request.payload()))
                .toList());
    assertThat(QueueText.requests(queue, 100)).isEqualTo(ids);
    assertThat(QueueText.headSession(queue)).isEqualTo(HOLDER);
    assertThat(QueueText.last(queue)).isEqualTo(ids.get(2));
    for (int i = 0; i < ids.size(); i++) {
      int position = queue.indexOf(QueueText.mark(ids.get(i)));
      assertThat(QueueText.countBefore(queue, position)).isEqualTo(i);
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void namespacesOfEveryVersionAreRead(int protocol) throws IOException {
    assertThat(NamespaceText.parse(golden("namespace-text", protocol)))
        .isEqualTo(namespace(protocol));
  }
}
