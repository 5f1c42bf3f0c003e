package io.holdfast.zookeeper;

import io.holdfast.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A session that this client speaks for. Thread-safe. */
final class Session {

  private final SessionRef ref;
  private final Line line;
  private final Duration tick;

  /** Where its requests stand, as far as that is remembered: what is not is looked up. */
  private final Map<RequestId, Remembered> places = new ConcurrentHashMap<>();

  /** Those that may have another node besides: an attempt of theirs was not answered. */
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
  Session(SessionRef ref, Line line, Duration tick, long sentNanos, OptionalInt version) {
    this.version = version;
    this.ref = ref;
    this.line = line;
    this.tick = tick;
    this.triedNanos = sentNanos;
    this.renewedNanos = sentNanos;
  }

  SessionRef ref() {
    return ref;
  }

  Line line() {
    return line;
  }

  void remember(Remembered place) {
    places.put(place.request(), place);
  }

  Optional<Remembered> place(RequestId request) {
    return Optional.ofNullable(places.get(request));
  }

  /** Returns where a request stands, if it has surely no other node besides. */
  Optional<Remembered> onlyPlace(RequestId request) {
    return doubtful.contains(request) ? Optional.empty() : place(request);
  }

  List<Place> places() {
    return places.values().stream().map(remembered -> remembered.placed().place()).toList();
  }

  void forget(RequestId request) {
    places.remove(request);
    doubtful.remove(request);
  }

  /** An attempt to give a request a place ended without an answer. */
  void doubt(RequestId request) {
    doubtful.add(request);
  }

  /** All nodes of a request but one are gone, or there never were others. */
  void settle(RequestId request) {
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
    } else if (!late && answeredNanos - renewedNanos > ref.ttl().toNanos()) {
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
    return ref.ttl().plus(tick).minusNanos(nanos - triedNanos);
  }

  /** Returns which version of its node its last renewal has made, if it is known. */
  synchronized OptionalInt version() {
    return version;
  }
}
