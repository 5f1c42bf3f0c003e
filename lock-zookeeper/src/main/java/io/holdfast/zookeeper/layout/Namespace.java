package io.holdfast.zookeeper.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.support.NamespaceText;
import io.holdfast.zookeeper.call.Node;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.ACL;

/**
 * A namespace as it is stored.
 *
 * @param zxid the transaction that created its node
 * @param clockMicros what the numbers of grants are counted from, see {@link NamespaceText}
 */
public record Namespace(long zxid, NamespaceSettings settings, long clockMicros) {

  /**
   * The version of the layout: 2 since a request's node tells its present mode and its stay; 3
   * since the namespace's node has one below it.
   */
  public static final int PROTOCOL = 3;

  /** Returns what the first client writes. */
  static NamespaceText first(NamespaceSettings settings) {
    return NamespaceText.first(present(settings));
  }

  /** Returns what a namespace of an older layout becomes; its numbers go on. */
  NamespaceText asPresent() {
    return new NamespaceText(present(settings), clockMicros);
  }

  private static NamespaceSettings present(NamespaceSettings settings) {
    return new NamespaceSettings(
        PROTOCOL, settings.partitions(), settings.maxTtl(), settings.maxClockStep());
  }

  /** Returns the writes that make it. */
  static List<Op> creation(Paths paths, NamespaceText text, List<ACL> rights) {
    byte[] data = text.encode().getBytes(UTF_8);
    return List.of(
        Op.create(paths.namespace(), data, rights, CreateMode.PERSISTENT),
        Op.create(paths.namespace(text.clockMicros()), new byte[0], rights, CreateMode.PERSISTENT));
  }

  /**
   * Reads the stored namespace.
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
