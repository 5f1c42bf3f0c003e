package io.holdfast.tck.format;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A text form of {@code io.holdfast.spi.support} that several stores keep. Its golden text of each
 * protocol version is a resource of the kit: tests of lock-api read and write it, and so do the
 * tests of the adapters that keep it.
 */
public enum CommonText {

  /** A namespace's settings as {@code NamespaceText} has them. */
  NAMESPACE("namespace-text");

  /** The clock in the golden text, where a golden file has a placeholder. */
  private static final String CLOCK = "1700000000000000";

  private final String file;

  CommonText(String file) {
    this.file = file;
  }

  /** Returns whether a golden file's record has the golden text of a protocol version. */
  boolean isIn(StoredRecord stored, String field, int protocol) {
    return stored
        .fields()
        .getOrDefault(field, "")
        .replace("<clock>", CLOCK)
        .equals(GoldenText.escape(golden(protocol)));
  }

  private String golden(int protocol) {
    String name = "%s-v%s.txt".formatted(file, protocol);
    try (InputStream resource = CommonText.class.getResourceAsStream(name)) {
      byte[] bytes =
          Objects.requireNonNull(resource, () -> "The kit has no golden text " + name)
              .readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
