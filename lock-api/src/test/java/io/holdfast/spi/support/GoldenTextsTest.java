package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.NamespaceSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The text form of a namespace that stores keep, against a golden text of each protocol version.
 * The golden texts lie in the kit, where the adapters' tests of stored formats find them.
 */
class GoldenTextsTest {

  private static final Path GOLDEN =
      Path.of("..", "lock-tck", "src", "main", "resources", "io", "holdfast", "tck", "format");

  private static NamespaceText namespace(int protocol) {
    return new NamespaceText(
        new NamespaceSettings(protocol, 1, Duration.ofSeconds(90), Duration.ofMillis(1_500)),
        1_700_000_000_000_000L);
  }

  static IntStream versions() {
    return IntStream.rangeClosed(1, NamespaceSettings.PROTOCOL);
  }

  private static String golden(int protocol) throws IOException {
    Path file = GOLDEN.resolve("namespace-text-v%d.txt".formatted(protocol));
    assertThat(file)
        .as("Each protocol version has a golden text, and the older ones stay")
        .exists();
    return Files.readString(file);
  }

  @Test
  void whatIsWrittenChangesOnlyWithTheProtocolVersion() throws IOException {
    assertThat(namespace(NamespaceSettings.PROTOCOL).encode())
        .as(
            "the stored format changed: raise the protocol version, and add namespace-text-v%d.txt to lock-tck",
            NamespaceSettings.PROTOCOL + 1)
        .isEqualTo(golden(NamespaceSettings.PROTOCOL));
  }

  @ParameterizedTest
  @MethodSource("versions")
  void namespacesOfEveryVersionAreRead(int protocol) throws IOException {
    assertThat(NamespaceText.parse(golden(protocol))).isEqualTo(namespace(protocol));
  }
}
