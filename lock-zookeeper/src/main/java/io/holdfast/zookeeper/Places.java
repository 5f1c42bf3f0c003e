package io.holdfast.zookeeper;

import io.holdfast.RequestId;
import io.holdfast.spi.BackendFailure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.zookeeper.data.Stat;

/**
 * The requests' nodes of a queue, as they were listed.
 *
 * <p>ZooKeeper counts the nodes that were ever made below another, and its count comes to an end.
 * So a queue has levels. A node whose number is at {@link Place#END} or past it stands in no queue.
 * Whoever is given such a node makes a queue node below this one, where the count begins anew, and
 * joins there. All of a level come before all of the next: a level is made only while its maker's
 * node shows that the count above has ended, and from then on keeps the node above, and that count,
 * from being removed. So whoever stands in a level need only see that the levels above are empty,
 * and they stay so. Servers remove the lowest level first, and only when it is empty.
 */
record Places(List<Place> all) {

  /**
   * So many names are read at once, each of up to 71 bytes: of a greater answer than a megabyte the
   * client library makes an end of the connection.
   */
  static final int READABLE_MAX = 12_000;

  static final Places NONE = new Places(List.of());

  private static final String NEXT = "~next";

  Places {
    all = all.stream().sorted(Place.ORDER).toList();
  }

  /** Returns the path of the level below one. */
  static String next(String level) {
    return level + "/" + NEXT;
  }

  /** Reads the levels below the first, if there are any; empty if one is too long. */
  static Optional<Places> of(Steps steps, String queue, List<String> namesOfFirst) {
    List<Place> all = new ArrayList<>();
    String level = queue;
    List<String> names = namesOfFirst;
    while (true) {
      all.addAll(Place.among(level, names));
      if (!names.contains(NEXT)) {
        return Optional.of(new Places(all));
      }
      level = next(level);
      Flight flight = steps.flight();
      Answer<Stat> size = flight.stat(level);
      flight.land();
      if (nodes(size) > READABLE_MAX) {
        return Optional.empty();
      }
      names = names(steps, level);
    }
  }

  private static List<String> names(Steps steps, String level) {
    Flight flight = steps.flight();
    Answer<List<String>> names = flight.children(level);
    flight.land();
    return names.value().orElse(List.of());
  }

  /** Reads all levels, if none is too long; the first was asked how long it is. */
  static Optional<Places> read(Steps steps, String queue, int nodesOfFirst) {
    if (nodesOfFirst == 0) {
      return Optional.of(NONE);
    }
    return nodesOfFirst > READABLE_MAX ? Optional.empty() : of(steps, queue, names(steps, queue));
  }

  /**
   * A queue that nobody joins who does not stand in it: it may be read again when it is shorter.
   */
  static BackendFailure tooMany(Steps steps, String queue) {
    return new BackendFailure(
        steps.effect(),
        "The node %s has more than %d others below it, which are too many to be read."
            .formatted(queue, READABLE_MAX),
        null);
  }

  /** Finds the nodes of a request among those of the session whose line this is. */
  static List<Place> ofSession(Steps steps, String queue, RequestId request) {
    Flight flight = steps.flight();
    Answer<List<String>> paths = flight.ephemerals(queue);
    flight.land();
    return paths.value().orElse(List.of()).stream()
        .flatMap(path -> Place.of(path).stream())
        .filter(place -> place.request().equals(request))
        .toList();
  }

  /**
   * Returns whether a request stands in a level or below it, by the number of its nodes alone. One
   * at the end of the count is on its way to the level below.
   */
  static boolean isAnybodyIn(Steps steps, String queue, int nodesOfFirst) {
    String level = queue;
    int nodes = nodesOfFirst;
    while (nodes == 1) {
      level = next(level);
      Flight flight = steps.flight();
      Answer<Stat> below = flight.stat(level);
      flight.land();
      if (!below.isOk()) {
        return true;
      }
      nodes = nodes(below);
    }
    return nodes > 0;
  }

  /** Returns how many nodes a level has that was asked for. */
  static int nodes(Answer<Stat> level) {
    return level.value().map(Stat::getNumChildren).orElse(0);
  }

  /**
   * Returns the queue in its order. A request that stands in it twice, since its create arrived
   * twice, counts where it stands first.
   */
  List<Place> line() {
    Set<RequestId> seen = new HashSet<>();
    return inQueue().filter(place -> seen.add(place.request())).toList();
  }

  private Stream<Place> inQueue() {
    return all.stream().filter(place -> !place.isPastEnd());
  }

  /** Returns where a request stands. */
  Optional<Place> first(RequestId request) {
    return inQueue().filter(place -> place.request().equals(request)).findFirst();
  }

  /** Returns all nodes of a request. */
  List<Place> of(RequestId request) {
    return all.stream().filter(place -> place.request().equals(request)).toList();
  }
}
