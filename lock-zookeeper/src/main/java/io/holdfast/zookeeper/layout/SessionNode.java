package io.holdfast.zookeeper.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.spi.support.NamespaceText;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.connection.SessionIdentity;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;

/**
 * The node of a session. Its data is lines {@code NAME=VALUE}.
 *
 * @param owner the ZooKeeper session that owns the node
 * @param password with which other clients can resume the ZooKeeper session; empty if that belongs
 *     to an application
 * @param ttl the TTL that was granted
 * @param namespace the transaction that created the namespace it was opened in
 * @param data what the node has
 */
@SuppressWarnings("ArrayRecordComponent") // As the library has it.
public record SessionNode(
    SessionId id, long owner, byte[] password, Duration ttl, long namespace, byte[] data) {

  /** Returns the node written for a new session. */
  public static SessionNode of(
      SessionId id,
      SessionIdentity identity,
      Duration ttl,
      Namespace namespace,
      ProcessIdentity process) {
    byte[] data =
        "ttlMillis=%s\nnamespace=%s\npassword=%s\nprocess=%s\n"
            .formatted(
                ttl.toMillis(),
                namespace.zxid(),
                HexFormat.of().formatHex(identity.password()),
                process)
            .getBytes(UTF_8);
    return new SessionNode(
        id, identity.session(), identity.password(), ttl, namespace.zxid(), data);
  }

  /** Reads what was written. */
  public static SessionNode of(SessionId id, Node node) {
    Map<String, String> lines = NamespaceText.lines(new String(node.data(), UTF_8));
    return new SessionNode(
        id,
        node.stat().getEphemeralOwner(),
        HexFormat.of().parseHex(lines.getOrDefault("password", "")),
        Duration.ofMillis(Long.parseLong(lines.getOrDefault("ttlMillis", "0"))),
        Long.parseLong(lines.getOrDefault("namespace", "-1")),
        node.data());
  }

  /** Returns the identity with which another client can resume the ZooKeeper session. */
  public SessionIdentity identity() {
    return new SessionIdentity(owner, password);
  }
}
