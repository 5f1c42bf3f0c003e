package io.holdfast.zookeeper.session;

import io.holdfast.record.RequestId;
import io.holdfast.zookeeper.connection.Connection;
import io.holdfast.zookeeper.layout.SessionNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A session that this client speaks for. Thread-safe. */
public final class Session {

  private final SessionNode node;
  private final Connection connection;
  private final Duration tick;

  /** The remembered positions of its requests. Other positions are read from the store. */
  private final Map<RequestId, RememberedPosition> places = new ConcurrentHashMap<>();

  /** The requests that may have a second node, because an attempt was not answered. */
  private final Set<RequestId> doubtful = ConcurrentHashMap.newKeySet();

  /** When a renewal was last tried. */
  private long triedNanos;

  /** When the last renewal that counts was sent. */
  private long renewedNanos;

  /** Since when it is known that a renewal came late; meaningless unless it did. */
  private long lateNanos;

  private boolean late;
  private OptionalInt version;

  /**
   * Makes it.
   *
   * @param version of its node, if that is known
   */
  Session(
      SessionNode node, Connection connection, Duration tick, long sentNanos, OptionalInt version) {
    this.version = version;
    this.node = node;
    this.connection = connection;
    this.tick = tick;
    this.triedNanos = sentNanos;
    this.renewedNanos = sentNanos;
  }

  public SessionNode node() {
    return node;
  }

  public Connection connection() {
    return connection;
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

  /** An attempt to give a request a place ended without an answer. */
  public void doubt(RequestId request) {
    doubtful.add(request);
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
   * A renewal was answered. The leader hears of a session with its followers' pings, up to a tick
   * later, and may have ended it meanwhile if it had not heard of it for a whole TTL before. So
   * what comes late does not count, nor does anything until a tick has passed.
   *
   * @param newVersion of the session's node
   * @return whether it counts
   */
  synchronized boolean renewed(long sentNanos, long answeredNanos, int newVersion) {
    version = OptionalInt.of(newVersion);
    if (late && sentNanos - lateNanos >= tick.toNanos()) {
      late = false;
    } else if (!late && answeredNanos - renewedNanos > node.ttl().toNanos()) {
      late = true;
      lateNanos = answeredNanos;
    }
    if (!late) {
      renewedNanos = sentNanos;
    }
    return !late;
  }

  /** Returns for how long it may go on without a renewal before it has to be ended. */
  synchronized Duration untilAbandoned(long nanos) {
    return node.ttl().plus(tick).minusNanos(nanos - triedNanos);
  }

  /** Returns which version of its node its last renewal has made, if it is known. */
  synchronized OptionalInt version() {
    return version;
  }
}
