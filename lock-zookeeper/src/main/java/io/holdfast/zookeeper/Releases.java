package io.holdfast.zookeeper;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Released;
import java.util.List;
import java.util.Optional;

/** Leaving a queue, wherever a request stands in it. */
final class Releases {

  private final Paths paths;
  private final Watches watches;
  private final String where;

  Releases(Paths paths, Watches watches, String where) {
    this.paths = paths;
    this.watches = watches;
    this.where = where;
  }

  Released release(Steps steps, LockName name, RequestId request, Optional<Placed> known) {
    watches.forget(request);
    String queue = paths.queue(name);
    Flight flight = steps.flight();
    Optional<Answer<Boolean>> deleted =
        known.map(placed -> flight.delete(placed.place().path(), Flight.ANY_VERSION));
    if (known.isEmpty()) {
      flight.sync(queue);
    }
    Answer<List<String>> names = flight.children(queue);
    flight.land();
    List<String> rest = names.value().orElse(List.of());
    List<Place> left = Place.of(request, queue, rest);
    if (!left.isEmpty()) {
      return releaseAll(steps, queue, left);
    }
    if (deleted.filter(Answer::isOk).isPresent()) {
      return released(known.orElseThrow().place(), Place.queue(queue, rest));
    }
    if (steps.hasBegunAgain()) {
      throw new BackendFailure(
          Effect.UNKNOWN,
          "Whether the request %s left the queue of lock %s at %s by itself is not known."
              .formatted(request, name, where),
          null);
    }
    return Released.NOTHING;
  }

  private static Released releaseAll(Steps steps, String queue, List<Place> places) {
    Flight flight = steps.flight();
    places.forEach(place -> flight.delete(place.path(), Flight.ANY_VERSION));
    Answer<List<String>> names = flight.children(queue);
    flight.land();
    return released(places.get(0), Place.queue(queue, names.value().orElse(List.of())));
  }

  private static Released released(Place mine, List<Place> rest) {
    if (rest.isEmpty()) {
      return Released.FREED;
    }
    return rest.get(0).isBefore(mine) ? Released.WAS_WAITING : Released.HANDED_ON;
  }
}
