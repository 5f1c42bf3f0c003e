package io.holdfast.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.spi.NamespaceText;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;

/**
 * A session as its node tells: lines {@code NAME=VALUE}.
 *
 * @param owner the ZooKeeper session that it hangs on
 * @param password by which others may go on with that; empty if it is an application's
 * @param ttl the TTL that was granted
 * @param namespace the transaction that created the namespace it was opened in
 * @param data what the node has
 */
@SuppressWarnings("ArrayRecordComponent") // As the library has it.
record SessionRef(
    SessionId id, long owner, byte[] password, Duration ttl, long namespace, byte[] data) {

  /** Returns what is written for a new session. */
  static SessionRef of(
      SessionId id,
      Handle.Identity identity,
      Duration ttl,
      Namespace namespace,
      ProcessIdentity process) {
    byte[] data =
        "ttlMillis=%d\nnamespace=%d\npassword=%s\nprocess=%s\n"
            .formatted(
                ttl.toMillis(),
                namespace.zxid(),
                HexFormat.of().formatHex(identity.password()),
                process)
            .getBytes(UTF_8);
    return new SessionRef(id, identity.session(), identity.password(), ttl, namespace.zxid(), data);
  }

  /** Reads what was written. */
  static SessionRef of(SessionId id, Node node) {
    Map<String, String> lines = NamespaceText.lines(new String(node.data(), UTF_8));
    return new SessionRef(
        id,
        node.stat().getEphemeralOwner(),
        HexFormat.of().parseHex(lines.getOrDefault("password", "")),
        Duration.ofMillis(Long.parseLong(lines.getOrDefault("ttlMillis", "0"))),
        Long.parseLong(lines.getOrDefault("namespace", "-1")),
        node.data());
  }
}
