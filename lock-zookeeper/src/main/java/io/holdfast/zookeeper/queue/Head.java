package io.holdfast.zookeeper.queue;

import io.holdfast.Holder;
import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.spi.Observed;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestCreation;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.layout.SessionNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/**
 * The first of a queue, as it was read together with its session. Only a revocation writes to a
 * request's node: its first new version is the mark, with the leader's time.
 *
 * @param session the node of its session; empty if that is over
 */
public record Head(RequestNode place, Node node, Optional<Node> session) {

  /** How many reads {@link #reads} makes. */
  static final int READS = 2;

  /** What has to be read, at one moment. */
  static List<Op> reads(Paths paths, RequestNode place) {
    return List.of(Op.getData(place.path()), Op.getData(paths.session(place.request().session())));
  }

  /** Decodes what those reads have found; empty if the request has left. */
  static Optional<Head> of(RequestNode place, List<OpResult> found) {
    return Node.of(found.get(0)).map(node -> new Head(place, node, Node.of(found.get(1))));
  }

  public Stat stat() {
    return node.stat();
  }

  boolean isRevoked() {
    return stat().getVersion() > 0;
  }

  /** Returns how long it may still hold, after it was revoked. */
  Duration remaining(Namespace namespace, StoreClock clock) {
    // Where it cannot be told how long ago that was, it is as if it were now.
    Duration passed = clock.since(stat()).orElse(Duration.ZERO);
    Duration left = revocationDelay(namespace).minus(passed);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Returns how long it may still hold when it is revoked. */
  Duration revocationDelay(Namespace namespace) {
    Duration ttl =
        session
            .map(present -> SessionNode.of(place.request().session(), present).ttl())
            .orElse(Duration.ZERO);
    return ttl.plus(namespace.settings().maxClockStep());
  }

  Liveness liveness(Namespace namespace, StoreClock clock) {
    session.ifPresent(present -> clock.see(present.stat()));
    if (session.isEmpty()) {
      return Liveness.ENDED;
    }
    return isRevoked() && remaining(namespace, clock).isZero()
        ? Liveness.REVOCATION_DUE
        : Liveness.LIVE;
  }

  /**
   * Returns how long until it may be removed after it was revoked; empty if it was not: ZooKeeper
   * itself removes what lapses, and tells the next waiter.
   */
  Optional<Duration> dueIn(Namespace namespace, StoreClock clock) {
    return isRevoked() && liveness(namespace, clock) == Liveness.LIVE
        ? Optional.of(remaining(namespace, clock))
        : Optional.empty();
  }

  /** Returns whether the mark must be renewed with the clock of the present leader. */
  boolean isMarkDoubtful(StoreClock clock) {
    return isRevoked() && clock.since(stat()).isEmpty();
  }

  Observed observed(LockName name, Namespace namespace) {
    return new Observed(name, namespace.number(stat().getCzxid()), place.request());
  }

  Holder holder(Namespace namespace, StoreClock clock) {
    return place
        .entry(node.data())
        .asHolder(
            RequestCreation.since(stat()),
            liveness(namespace, clock),
            isRevoked() ? Optional.of(Instant.ofEpochMilli(stat().getMtime())) : Optional.empty());
  }
}
