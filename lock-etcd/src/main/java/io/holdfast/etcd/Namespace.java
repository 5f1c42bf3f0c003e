package io.holdfast.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.BackendUnusableException;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceText;
import java.nio.charset.StandardCharsets;

/**
 * A namespace as it is stored.
 *
 * @param revision the revision that created its key
 * @param clockMicros what the numbers of grants are counted from, see {@link NamespaceText}
 */
record Namespace(long revision, NamespaceSettings settings, long clockMicros) {

  /** Returns what the first client writes. */
  static ByteSequence encode(NamespaceSettings settings) {
    return Keys.bytes(NamespaceText.first(settings).encode());
  }

  /**
   * Reads what is stored.
   *
   * @throws BackendUnusableException if this version of the library cannot
   */
  static Namespace of(KeyValue entry, String where) {
    try {
      NamespaceText text = NamespaceText.parse(entry.getValue().toString(StandardCharsets.UTF_8));
      return new Namespace(entry.getCreateRevision(), text.settings(), text.clockMicros());
    } catch (IllegalArgumentException e) {
      throw new BackendUnusableException(
          "The key %s at %s is not one of this library. Remove it, or use another prefix."
              .formatted(entry.getKey().toString(StandardCharsets.UTF_8), where),
          e);
    }
  }

  /** Returns the number of a grant. */
  long number(long createRevision) {
    return clockMicros + createRevision;
  }

  /** Returns the revision that a number was made of. */
  long createRevision(long number) {
    return number - clockMicros;
  }
}
