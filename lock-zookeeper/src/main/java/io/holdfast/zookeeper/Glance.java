package io.holdfast.zookeeper;

import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/**
 * What is asked of a request before its queue is read: how long that is, and, where that can be
 * told from what is remembered of the request, whether it holds. Read only after the flight has
 * landed.
 */
record Glance(Answer<Stat> size, Optional<Check> check) {

  private record Check(Placed placed, Answer<Stat> mine, Remembered.Ahead ahead) {}

  static Glance ask(Flight flight, String queue, Optional<Remembered> remembered) {
    return new Glance(
        flight.stat(queue),
        remembered
            .filter(Remembered::remembersAllAhead)
            .map(
                place ->
                    new Check(
                        place.placed(),
                        flight.stat(place.placed().place().path()),
                        place.ask(flight))));
  }

  /** Returns how many nodes the queue has. */
  int nodes() {
    return Places.nodes(size);
  }

  /** Returns where the request stands, if it is known to hold. */
  Optional<Placed> holding() {
    return check
        .filter(asked -> asked.mine().isOk() && asked.ahead().isNobody())
        .map(Check::placed);
  }
}
