package io.holdfast.zookeeper.session;

import io.holdfast.record.RequestId;
import io.holdfast.zookeeper.connection.Connection;
import io.holdfast.zookeeper.connection.SessionTimes;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.SessionNode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A session that this client speaks for. Thread-safe. */
public final class Session {

  /**
   * A renewal that was answered.
   *
   * @param timeout of the ZooKeeper session, as the server that was asked has it
   */
  record Renewal(long sentNanos, long answeredNanos, Duration timeout) {}

  private final SessionNode node;
  private final Connection connection;
  private final SessionTimes times;

  /** The remembered positions of its requests. Other positions are read from the store. */
  private final Map<RequestId, RememberedPosition> places = new ConcurrentHashMap<>();

  /** The requests that may have a second node, because an attempt was not answered. */
  private final Set<RequestId> doubtful = ConcurrentHashMap.newKeySet();

  /** When a renewal was last tried. */
  private long triedNanos;

  /** The last renewal of which the leader has certainly heard. */
  private Renewal heard;

  /** The renewals since then, of which the leader may not have heard. */
  private final Deque<Renewal> unheard = new ArrayDeque<>();

  private OptionalInt version;

  private final Optional<Namespace> namespace;

  /**
   * Makes it.
   *
   * @param namespace that it was opened in, if this client has opened it
   * @param heard from when on the leader has certainly counted
   * @param version of its node, if that is known
   */
  Session(
      SessionNode node,
      Connection connection,
      SessionTimes times,
      Renewal heard,
      OptionalInt version,
      Optional<Namespace> namespace) {
    this.version = version;
    this.namespace = namespace;
    this.node = node;
    this.connection = connection;
    this.times = times;
    this.triedNanos = heard.answeredNanos();
    this.heard = heard;
  }

  public SessionNode node() {
    return node;
  }

  public Connection connection() {
    return connection;
  }

  /** Returns the namespace that it was opened in, if this client has opened it. */
  public Optional<Namespace> namespace() {
    return namespace;
  }

  public void remember(RememberedPosition place) {
    places.put(place.request(), place);
  }

  public Optional<RememberedPosition> place(RequestId request) {
    return Optional.ofNullable(places.get(request));
  }

  /** Returns the position of a request, if the request certainly has no second node. */
  public Optional<RememberedPosition> onlyPlace(RequestId request) {
    return doubtful.contains(request) ? Optional.empty() : place(request);
  }

  /** Returns the positions of the requests that leave their queues when it ends. */
  List<RememberedPosition> placesWithoutDelay() {
    return places.values().stream().filter(place -> !place.creation().place().hasDelay()).toList();
  }

  public void forget(RequestId request) {
    places.remove(request);
    doubtful.remove(request);
  }

  /** A request is in no queue. What an unanswered attempt may still put there is not known. */
  public void isAbsent(RequestId request) {
    places.remove(request);
  }

  /** An attempt to give a request a place ended without an answer. */
  public void doubt(RequestId request) {
    doubtful.add(request);
  }

  /** Whether an attempt to give a request a place ended without an answer. */
  public boolean doubts(RequestId request) {
    return doubtful.contains(request);
  }

  /** All nodes of a request but one are gone, or there never were others. */
  public void settle(RequestId request) {
    doubtful.remove(request);
  }

  /** A renewal is about to be sent. */
  synchronized void tries(long nanos) {
    triedNanos = nanos;
  }

  /**
   * A renewal was answered. The leader has heard of those that were answered a tick before it was
   * sent: the follower has told of them before it passed this one on, over the same connection.
   *
   * @param newVersion of the session's node
   * @return for how long a holder may go on since the sending of this renewal; not positive if that
   *     is over already, and the leader may have ended the session
   */
  synchronized Duration renewed(Renewal renewal, int newVersion) {
    version = OptionalInt.of(newVersion);
    Renewal next = unheard.peek();
    while (next != null && renewal.sentNanos() - next.answeredNanos() >= times.tick().toNanos()) {
      heard = unheard.remove();
      next = unheard.peek();
    }
    unheard.add(renewal);
    long counted = Math.min(countedNanos(heard), countedNanos(renewal));
    long left = counted - (renewal.sentNanos() - heard.sentNanos());
    return Duration.ofNanos(Math.min(left, node.ttl().toNanos()));
  }

  /** The server that a session moves to may grant it a shorter timeout. */
  private long countedNanos(Renewal renewal) {
    return times.counted(renewal.timeout()).toNanos();
  }

  /** Returns for how long it may go on without a renewal before it has to be ended. */
  synchronized Duration untilAbandoned(long nanos) {
    return node.ttl().plus(times.tick()).minusNanos(nanos - triedNanos);
  }

  /** Returns which version of its node its last renewal has made, if it is known. */
  synchronized OptionalInt version() {
    return version;
  }
}
