package io.holdfast.zookeeper;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/** Who is the first of a queue, and whether it counts. */
final class Heads {

  private final Paths paths;
  private final Namespaces namespaces;

  Heads(Paths paths, Namespaces namespaces) {
    this.paths = paths;
    this.namespaces = namespaces;
  }

  /**
   * A queue as it was seen.
   *
   * @param namespace empty if there is none
   * @param head empty if nobody stands in it
   */
  record Seen(
      Optional<Namespace> namespace, List<Place> line, Optional<Head> head, StoreClock clock) {}

  /** Reads a queue, and its head. */
  Seen see(Steps steps, LockName name) {
    String queue = paths.queue(name);
    StoreClock clock = new StoreClock();
    while (true) {
      Flight flight = steps.flight();
      flight.sync(queue);
      Answer<Stat> size = flight.stat(queue);
      Answer<Node> namespace = flight.node(paths.namespace());
      flight.land();
      Optional<Namespace> present = namespaces.of(namespace.value());
      List<Place> line =
          Places.read(steps, queue, Places.nodes(size))
              .orElseThrow(() -> Places.tooMany(steps, queue))
              .line();
      if (line.isEmpty() || present.isEmpty()) {
        return new Seen(present, List.of(), Optional.empty(), clock);
      }
      Optional<Head> head = read(steps, line.get(0));
      if (head.isPresent()) {
        return new Seen(present, line, head, clock);
      }
    }
  }

  private Optional<Head> read(Steps steps, Place place) {
    return Head.of(place, steps.read(Head.reads(paths, place)));
  }

  /** Returns whether a head counts, and makes its mark anew where its time cannot be told. */
  Liveness judge(Steps steps, Head head, Namespace namespace, StoreClock clock) {
    Liveness liveness = head.liveness(namespace, clock);
    refreshMark(steps, head, clock);
    return liveness;
  }

  /** A mark of another leader's, or in the future of this one's, begins anew. */
  void refreshMark(Steps steps, Head head, StoreClock clock) {
    head.session().ifPresent(present -> clock.see(present.stat()));
    if (head.isMarkDoubtful(clock)) {
      Flight flight = steps.flight();
      flight.write(head.place().path(), head.node().data(), head.stat().getVersion());
      flight.land();
    }
  }
}
