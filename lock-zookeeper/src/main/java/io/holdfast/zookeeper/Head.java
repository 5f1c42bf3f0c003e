package io.holdfast.zookeeper;

import io.holdfast.Holder;
import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.spi.Observed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/**
 * The first of a queue, as it was read together with its session. Nobody writes to a request's node
 * but who revokes it: its first new version is the mark, with the leader's time.
 *
 * @param session the node of its session; empty if that is over
 */
record Head(Place place, Node node, Optional<Node> session) {

  /** How many reads {@link #reads} makes. */
  static final int READS = 2;

  /** What has to be read, at one moment. */
  static List<Op> reads(Paths paths, Place place) {
    return List.of(Op.getData(place.path()), Op.getData(paths.session(place.request().session())));
  }

  /** Makes sense of what those reads have found; empty if the request has left. */
  static Optional<Head> of(Place place, List<OpResult> found) {
    return Node.of(found.get(0)).map(node -> new Head(place, node, Node.of(found.get(1))));
  }

  Stat stat() {
    return node.stat();
  }

  boolean isRevoked() {
    return stat().getVersion() > 0;
  }

  /** Returns how long it may still hold, after it was revoked. */
  Duration remaining(Namespace namespace, StoreClock clock) {
    // Where it cannot be told how long ago that was, it is as if it were now.
    Duration passed = clock.since(stat()).orElse(Duration.ZERO);
    Duration left = patience(namespace).minus(passed);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Returns how long it may still hold when it is revoked. */
  Duration patience(Namespace namespace) {
    Duration ttl =
        session
            .map(present -> SessionRef.of(place.request().session(), present).ttl())
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
   * itself takes away what lapses, and whoever waits behind it is told.
   */
  Optional<Duration> dueIn(Namespace namespace, StoreClock clock) {
    return isRevoked() && liveness(namespace, clock) == Liveness.LIVE
        ? Optional.of(remaining(namespace, clock))
        : Optional.empty();
  }

  /** Returns whether the mark has to be made anew, by the clock of the present leader. */
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
            since(stat()),
            liveness(namespace, clock),
            isRevoked() ? Optional.of(Instant.ofEpochMilli(stat().getMtime())) : Optional.empty());
  }

  /** Returns since when a request is there, by the leader's clock. */
  static Instant since(Stat stat) {
    return Instant.ofEpochMilli(stat.getCtime());
  }
}
