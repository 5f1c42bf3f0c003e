package io.holdfast.etcd.queue;

import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.support.LooksUnderWay;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The remembered places of requests. etcd visits every key of a queue that is asked for as a whole,
 * also those that were deleted since its last compaction. With a remembered place, single keys tell
 * the same. Thread-safe.
 *
 * <p>A place is only a hint what to ask for: each use of it has the store confirm that the keys it
 * names are still those that were seen.
 */
public final class Places {

  private final Map<RequestId, Place> places = new ConcurrentHashMap<>();
  private final LooksUnderWay looks = new LooksUnderWay();
  private final Predicate<SessionId> isKnown;

  /**
   * Remembers nothing yet.
   *
   * @param isKnown whether a session is not known to be over: of one that is, what an answer tells
   *     that comes after that would stay remembered for good
   */
  public Places(Predicate<SessionId> isKnown) {
    this.isKnown = isKnown;
  }

  /** Begins a look, whose answer does not bring back a place that was forgotten meanwhile. */
  LooksUnderWay.Look beginLook() {
    return looks.begin();
  }

  void remember(RequestId request, Place place) {
    places.put(request, place);
    if (!isKnown.test(request.session())) {
      places.remove(request);
    }
  }

  Optional<Place> of(RequestId request) {
    return Optional.ofNullable(places.get(request));
  }

  void forget(RequestId request) {
    looks.left(request);
    places.remove(request);
  }

  /** Forgets a place that its predecessor has left, unless no other request keeps it out. */
  void predecessorLeft(RequestId request) {
    places.computeIfPresent(
        request,
        (id, place) -> place instanceof Place.Behind behind && behind.next() ? place : null);
  }

  /** Forgets the places of a session that is over. */
  public void forget(SessionId session) {
    looks.over(session);
    places.keySet().removeIf(request -> request.session().equals(session));
  }
}
