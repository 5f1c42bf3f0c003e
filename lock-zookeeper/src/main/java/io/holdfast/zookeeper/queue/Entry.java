package io.holdfast.zookeeper.queue;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.Stay;
import io.holdfast.record.Waiter;
import io.holdfast.spi.answer.Observed;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestCreation;
import io.holdfast.zookeeper.layout.RequestData;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.layout.SessionNode;
import io.holdfast.zookeeper.layout.StoredStay;
import io.holdfast.zookeeper.session.RememberedPosition.Holding;
import io.holdfast.zookeeper.session.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/**
 * A request in a queue, as it was read together with its session.
 *
 * @param stat of its node
 * @param session the node of its session; empty if that is over
 */
record Entry(RequestNode place, Stat stat, RequestData data, Optional<Node> session) {

  /** How many reads {@link #reads} makes. */
  static final int READS = 2;

  /** The reads of an entry, at one moment. */
  static List<Op> reads(Paths paths, RequestNode place) {
    return List.of(Op.getData(place.path()), Op.getData(paths.session(place.request().session())));
  }

  /** Decodes what those reads have found; empty if the request has left. */
  static Optional<Entry> of(RequestNode place, List<OpResult> found) {
    return Node.of(found.get(0))
        .map(
            node ->
                new Entry(
                    place, node.stat(), RequestData.parse(node.data()), Node.of(found.get(1))));
  }

  boolean isTombstone() {
    return data.isTombstone();
  }

  /** Returns whether it is to stay for its lock-delay when its session is over. */
  boolean hasDelayLeft() {
    return !data.lockDelay().isZero();
  }

  /** Returns whether its node outlives its session. */
  boolean isPersistent() {
    return stat.getEphemeralOwner() == 0;
  }

  boolean shares() {
    return data.mode() == LockMode.SHARED;
  }

  RequestCreation creation() {
    return RequestCreation.of(place, data.creation(stat));
  }

  /** Returns the position of one that holds the lock, as far as its own node tells. */
  Holding holding() {
    return new Holding(
        creation(), data.mode(), stat.getVersion(), Optional.empty(), Optional.empty());
  }

  /**
   * Returns the check that succeeds as long as it holds the lock in that mode. A downgrade is a
   * write; ZooKeeper does not tell it from others, such as that of a revocation.
   */
  Op check(LockMode mode) {
    // No other request ever has a node of that name, which has session and serial in it. Its count
    // alone would not do: that begins again when servers have removed the empty queue.
    return Op.check(
        place.path(), mode == LockMode.EXCLUSIVE ? stat.getVersion() : Pipeline.ANY_VERSION);
  }

  long number(Namespace namespace) {
    return namespace.number(creation().zxid());
  }

  Observed observed(LockName name, Namespace namespace) {
    return new Observed(name, number(namespace), place.request());
  }

  /** A record names the number of the first of its holders, a look that of each. */
  boolean isAs(Observed observed, Namespace namespace) {
    long number = number(namespace);
    return place.request().equals(observed.request())
        && (shares() ? observed.number() <= number : observed.number() == number);
  }

  boolean isRevoked() {
    return data.stay().filter(stay -> stay.reason() == Stay.Reason.REVOKED).isPresent();
  }

  /** Returns how long it may still hold when it is revoked with a notice, or without one. */
  Duration revocationDelay(Namespace namespace, Duration notice) {
    Duration ttl =
        session
            .map(present -> SessionNode.of(place.request().session(), present).ttl())
            .orElse(Duration.ZERO);
    return (notice.compareTo(ttl) > 0 ? notice : ttl).plus(namespace.settings().maxClockStep());
  }

  /** Returns the rest of its stay. */
  Optional<Duration> left(StoreClock clock) {
    return data.stay().map(stay -> left(stay, clock));
  }

  private Duration left(StoredStay stay, StoreClock clock) {
    // Where it cannot be told how long ago that was, it is as if it were now.
    Duration passed = clock.since(stay.began(stat)).orElse(Duration.ZERO);
    Duration left = stay.length().minus(passed);
    return left.isNegative() ? Duration.ZERO : left;
  }

  Liveness liveness(StoreClock clock) {
    boolean isStayOver = left(clock).filter(Duration::isZero).isPresent();
    if (data.stay().isPresent() && !isRevoked()) {
      return isStayOver ? Liveness.ENDED : Liveness.STAYING;
    }
    if (session.isEmpty()) {
      return Liveness.ENDED;
    }
    return isStayOver ? Liveness.REVOCATION_DUE : Liveness.LIVE;
  }

  /** Returns whether no other client may remove it. */
  boolean counts(StoreClock clock) {
    Liveness liveness = liveness(clock);
    return liveness == Liveness.LIVE || liveness == Liveness.STAYING;
  }

  /**
   * Returns how long until it may be removed because its stay is over; empty if that is over, or
   * there is none: ZooKeeper itself removes what lapses, and tells the next waiter.
   */
  Optional<Duration> dueIn(StoreClock clock) {
    return counts(clock) ? left(clock) : Optional.empty();
  }

  /** Returns whether its stay must begin again by the clock of the present leader. */
  boolean isStayDoubtful(StoreClock clock) {
    return data.stay().filter(stay -> clock.since(stay.began(stat)).isEmpty()).isPresent();
  }

  Holder holder(Namespace namespace, StoreClock clock) {
    return new Holder(
        place.request(),
        data.mode(),
        data.process(),
        data.why(),
        data.payload(),
        creation().since(),
        liveness(clock),
        data.stay()
            .filter(stay -> isRevoked())
            .map(stay -> Instant.ofEpochMilli(stay.began(stat).millis())),
        data.stay().map(stay -> new Stay(stay.reason(), left(stay, clock))),
        Optional.empty(),
        OptionalLong.of(number(namespace)));
  }

  Waiter waiter() {
    return new Waiter(place.request(), data.mode(), data.process(), data.why());
  }
}
