package io.holdfast.zookeeper;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Released;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/**
 * Leaving a queue, wherever a request stands in it. What is remembered of its place tells whether
 * it held, and the number of nodes that are left whether somebody holds now: so no names are read.
 * They are only where nothing is remembered, because an attempt was not answered or the session is
 * another client's, or where both have left who are remembered before it and there were more: then
 * nothing but the names tells whether it held.
 */
final class Releases {

  private final Paths paths;
  private final Watches watches;
  private final String where;

  Releases(Paths paths, Watches watches, String where) {
    this.paths = paths;
    this.watches = watches;
    this.where = where;
  }

  /** Leaves, in the name of a session if this client speaks for it. */
  Released release(Steps steps, LockName name, RequestId request, Optional<Session> session) {
    watches.forget(request);
    return session
        .flatMap(known -> known.onlyPlace(request))
        .map(place -> leave(steps, name, place))
        .orElseGet(() -> search(steps, name, request, session.isPresent()));
  }

  private Released leave(Steps steps, LockName name, Remembered remembered) {
    String queue = paths.queue(name);
    Place mine = remembered.placed().place();
    Flight flight = steps.flight();
    Remembered.Ahead ahead = remembered.ask(flight);
    Answer<Boolean> deleted = flight.delete(mine.path(), Flight.ANY_VERSION);
    Answer<Stat> size = flight.stat(queue);
    flight.land();
    if (!deleted.isOk()) {
      return nothing(steps, name, remembered.request());
    }
    if (ahead.isAnybody()) {
      return Released.WAS_WAITING;
    }
    int left = Places.nodes(size);
    if (ahead.isNobody() || left == 0) {
      return Places.isAnybodyIn(steps, queue, left) ? Released.HANDED_ON : Released.FREED;
    }
    return Places.read(steps, queue, left)
        .map(rest -> released(mine, rest.line()))
        .orElse(Released.WAS_WAITING);
  }

  /** For a request of which this client does not know where it stands, or whether it does. */
  private Released search(Steps steps, LockName name, RequestId request, boolean isOwn) {
    String queue = paths.queue(name);
    Flight flight = steps.flight();
    flight.sync(queue);
    Answer<Stat> size = flight.stat(queue);
    flight.land();
    Optional<Places> places = Places.read(steps, queue, Places.nodes(size));
    if (places.isEmpty() && !isOwn) {
      throw Places.tooMany(steps, queue);
    }
    List<Place> mine =
        places.map(all -> all.of(request)).orElseGet(() -> Places.ofSession(steps, queue, request));
    if (!deleteAll(steps, mine)) {
      return nothing(steps, name, request);
    }
    return places.map(all -> released(all, request)).orElse(Released.WAS_WAITING);
  }

  /** Returns whether there was any. */
  private static boolean deleteAll(Steps steps, List<Place> places) {
    Flight flight = steps.flight();
    List<Answer<Boolean>> deleted =
        places.stream().map(place -> flight.delete(place.path(), Flight.ANY_VERSION)).toList();
    flight.land();
    return deleted.stream().anyMatch(Answer::isOk);
  }

  private Released nothing(Steps steps, LockName name, RequestId request) {
    if (steps.hasBegunAgain()) {
      throw new BackendFailure(
          Effect.UNKNOWN,
          "Whether the request %s left the queue of lock %s at %s by itself is not known."
              .formatted(request, name, where),
          null);
    }
    return Released.NOTHING;
  }

  private static Released released(Places before, RequestId request) {
    List<Place> rest =
        before.line().stream().filter(place -> !place.request().equals(request)).toList();
    return before.first(request).map(mine -> released(mine, rest)).orElse(Released.WAS_WAITING);
  }

  private static Released released(Place mine, List<Place> rest) {
    if (rest.isEmpty()) {
      return Released.FREED;
    }
    return rest.get(0).isBefore(mine) ? Released.WAS_WAITING : Released.HANDED_ON;
  }
}
