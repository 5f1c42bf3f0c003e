package io.holdfast.zookeeper.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.support.NamespaceText;
import io.holdfast.zookeeper.call.Node;

/**
 * A namespace as it is stored.
 *
 * @param zxid the transaction that created its node
 * @param clockMicros what the numbers of grants are counted from, see {@link NamespaceText}
 */
public record Namespace(long zxid, NamespaceSettings settings, long clockMicros) {

  /** The version of the layout: 2 since a request's node tells its present mode and its stay. */
  public static final int PROTOCOL = 2;

  /** Returns what the first client writes. */
  static byte[] encode(NamespaceSettings settings) {
    NamespaceSettings written =
        new NamespaceSettings(
            PROTOCOL, settings.partitions(), settings.maxTtl(), settings.maxClockStep());
    return NamespaceText.first(written).encode().getBytes(UTF_8);
  }

  /** Returns what a namespace of an older layout becomes; its numbers go on. */
  byte[] encodeAsPresent() {
    NamespaceSettings present =
        new NamespaceSettings(
            PROTOCOL, settings.partitions(), settings.maxTtl(), settings.maxClockStep());
    return new NamespaceText(present, clockMicros).encode().getBytes(UTF_8);
  }

  /**
   * Reads what is stored.
   *
   * @throws BackendUnusableException if this version of the library cannot
   */
  static Namespace of(Node node, String path, String where) {
    try {
      NamespaceText text = NamespaceText.parse(new String(node.data(), UTF_8));
      return new Namespace(node.stat().getCzxid(), text.settings(), text.clockMicros());
    } catch (IllegalArgumentException e) {
      throw new BackendUnusableException(
          "The node %s at %s is not one of this library. Remove it, or use another path."
              .formatted(path, where),
          e);
    }
  }

  /** Returns the number of a grant whose request the transaction created. */
  public long number(long createZxid) {
    return clockMicros + (createZxid - zxid);
  }
}
