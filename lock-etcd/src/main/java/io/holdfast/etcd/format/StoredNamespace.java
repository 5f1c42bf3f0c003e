package io.holdfast.etcd.format;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.support.NamespaceText;
import java.nio.charset.StandardCharsets;

/**
 * A namespace, as it is stored.
 *
 * @param revision the revision that created its key
 * @param clockMicros the base of the numbers of grants: that of {@link NamespaceText}, less the
 *     revision of the cluster at that time
 */
public record StoredNamespace(long revision, NamespaceSettings settings, long clockMicros) {

  /**
   * The version of the layout: 2 since a request's key tells the mode that it has asked for, and
   * requests may stay without their session; 3 since requests of a session may have the same key,
   * one after the other.
   */
  public static final int PROTOCOL = 3;

  /**
   * Returns the value that the first client writes. Numbers begin at its clock, however far the
   * cluster has counted before: else they would be ahead of the clock, and a namespace that is soon
   * made again in an empty cluster would begin below them.
   *
   * @param revision of the cluster when it had no namespace yet
   */
  public static ByteSequence encode(NamespaceSettings settings, long revision) {
    NamespaceSettings written =
        new NamespaceSettings(
            PROTOCOL, settings.partitions(), settings.maxTtl(), settings.maxClockStep());
    long clockMicros = NamespaceText.first(written).clockMicros();
    return Keys.bytes(new NamespaceText(written, clockMicros - revision).encode());
  }

  /** Returns the same namespace in another version; its numbers go on. */
  public ByteSequence encodeAs(int protocol) {
    NamespaceSettings other =
        new NamespaceSettings(
            protocol, settings.partitions(), settings.maxTtl(), settings.maxClockStep());
    return Keys.bytes(new NamespaceText(other, clockMicros).encode());
  }

  /**
   * Reads the stored value.
   *
   * @throws BackendUnusableException if this version of the library cannot read it
   */
  public static StoredNamespace of(KeyValue entry, String where) {
    try {
      NamespaceText text = NamespaceText.parse(entry.getValue().toString(StandardCharsets.UTF_8));
      return new StoredNamespace(entry.getCreateRevision(), text.settings(), text.clockMicros());
    } catch (IllegalArgumentException e) {
      throw new BackendUnusableException(
          "The key %s at %s is not one of this library. Remove it, or use another prefix."
              .formatted(entry.getKey().toString(StandardCharsets.UTF_8), where),
          e);
    }
  }

  /** Returns the number of a grant. */
  public long number(long createRevision) {
    return clockMicros + createRevision;
  }

  /** Returns the create revision behind a number. */
  public long createRevision(long number) {
    return number - clockMicros;
  }
}
