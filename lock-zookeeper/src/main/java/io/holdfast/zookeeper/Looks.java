package io.holdfast.zookeeper;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.Batches;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Obstacle;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * How the requests of a session stand: first what is remembered of them is checked, then the queues
 * of the others are read, then who is ahead of them.
 */
final class Looks {

  /** So many queues are read at once. */
  static final int QUEUES_PER_READ = 8;

  private final Paths paths;
  private final Namespaces namespaces;
  private final Heads heads;
  private final Watches watches;

  Looks(Paths paths, Namespaces namespaces, Heads heads, Watches watches) {
    this.paths = paths;
    this.namespaces = namespaces;
    this.heads = heads;
    this.watches = watches;
  }

  List<Standing> look(
      Steps steps, SessionId session, Optional<Session> known, List<RequestKey> requests) {
    List<Standing> standings = new ArrayList<>();
    for (List<RequestKey> batch : Batches.of(requests, QUEUES_PER_READ)) {
      Optional<List<Standing>> seen;
      do {
        seen = look(steps, new Looker(session, known), batch);
        // Somebody has left between two reads.
      } while (seen.isEmpty());
      standings.addAll(seen.get());
    }
    return standings;
  }

  private record Looker(SessionId session, Optional<Session> known) {
    Optional<Remembered> place(RequestId request) {
      return known.flatMap(present -> present.onlyPlace(request));
    }
  }

  /** Where one request was found, and where in the second flight's reads its details begin. */
  private record Found(RequestKey key, List<Place> line, int ahead, int details) {}

  /** Empty if what was read first is not there any more. */
  private Optional<List<Standing>> look(Steps steps, Looker looker, List<RequestKey> batch) {
    Flight flight = steps.flight();
    flight.sync(paths.locks());
    Answer<Node> settings = flight.node(paths.namespace());
    List<Glance> glances =
        batch.stream()
            .map(key -> Glance.ask(flight, paths.queue(key.name()), looker.place(key.request())))
            .toList();
    flight.land();
    Optional<Namespace> namespace = namespaces.of(settings.value());
    List<Optional<Standing>> known = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      known.add(unread(steps, looker, namespace, batch.get(i), glances.get(i)));
    }
    List<RequestKey> unknown =
        IntStream.range(0, batch.size())
            .filter(i -> known.get(i).isEmpty())
            .mapToObj(batch::get)
            .toList();
    return namespace
        .filter(present -> !unknown.isEmpty())
        .map(present -> read(steps, looker, present, unknown))
        .orElse(Optional.of(List.of()))
        .map(List::iterator)
        .map(read -> known.stream().map(standing -> standing.orElseGet(read::next)).toList());
  }

  /** How a request stands, if that is known without its queue's names, or if they are too many. */
  private Optional<Standing> unread(
      Steps steps, Looker looker, Optional<Namespace> namespace, RequestKey key, Glance glance) {
    Optional<Placed> holding = glance.holding();
    boolean isAbsent = namespace.isEmpty() || glance.nodes() == 0;
    if (isAbsent || holding.isPresent()) {
      watches.forget(key.request());
    }
    if (isAbsent) {
      return Optional.of(new Standing.Absent());
    }
    if (holding.isPresent()) {
      looker.known().ifPresent(known -> known.remember(new Remembered(holding.get(), List.of())));
      return Optional.of(holding(namespace.get(), holding.get(), glance.nodes()));
    }
    return glance.nodes() > Places.READABLE_MAX
        ? Optional.of(unreadable(steps, looker, key, glance.nodes()))
        : Optional.empty();
  }

  private static Standing holding(Namespace namespace, Placed mine, int requests) {
    return new Standing.Holding(
        namespace.number(mine.zxid()), mine.since(), Contention.of(requests - 1));
  }

  /** Nobody joins such a queue; so whoever stands in it and does not know better waits on. */
  private Standing unreadable(Steps steps, Looker looker, RequestKey key, int nodes) {
    String queue = paths.queue(key.name());
    if (looker.known().isEmpty()) {
      throw Places.tooMany(steps, queue);
    }
    return Places.ofSession(steps, queue, key.request()).isEmpty()
        ? new Standing.Absent()
        : new Standing.Waiting(nodes - 1, List.of(), Optional.empty());
  }

  /** Empty if what was read first is not there any more. */
  private Optional<List<Standing>> read(
      Steps steps, Looker looker, Namespace namespace, List<RequestKey> batch) {
    Flight flight = steps.flight();
    // Each in an answer of its own, since an answer has an end.
    List<Answer<List<String>>> listed =
        batch.stream().map(key -> flight.children(paths.queue(key.name()))).toList();
    flight.land();
    List<Op> details = new ArrayList<>();
    details.add(Op.getData(paths.session(looker.session())));
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      RequestKey key = batch.get(i);
      String queue = paths.queue(key.name());
      Places places =
          Places.of(steps, queue, listed.get(i).value().orElse(List.of()))
              .orElseThrow(() -> Places.tooMany(steps, queue));
      List<Place> line = places.line();
      int ahead = line.stream().map(Place::request).toList().indexOf(key.request());
      if (ahead < 0) {
        removePastEnd(steps, places.of(key.request()));
      }
      found.add(new Found(key, line, ahead, details.size()));
      details.addAll(details(looker, line, ahead));
    }
    List<OpResult> read = details.size() > 1 ? steps.read(details) : List.of();
    List<Standing> standings = new ArrayList<>();
    StoreClock clock = new StoreClock();
    if (!read.isEmpty()) {
      Node.of(read.get(0)).ifPresent(node -> clock.see(node.stat()));
    }
    for (Found one : found) {
      Optional<Standing> standing = standing(steps, looker, namespace, one, read, clock);
      if (standing.isEmpty()) {
        return Optional.empty();
      }
      standings.add(standing.get());
    }
    return Optional.of(standings);
  }

  /** A join that was given up halfway may have left a node that stands in no queue. */
  private static void removePastEnd(Steps steps, List<Place> places) {
    Flight flight = steps.flight();
    places.stream()
        .filter(Place::isPastEnd)
        .forEach(place -> flight.delete(place.path(), Flight.ANY_VERSION));
    flight.land();
  }

  /** Of who waits, the head and the next ahead; of who holds, itself, unless it is remembered. */
  private List<Op> details(Looker looker, List<Place> line, int ahead) {
    if (ahead < 0) {
      return List.of();
    }
    if (ahead == 0) {
      return isRemembered(looker, line.get(0))
          ? List.of()
          : List.of(Op.getData(line.get(0).path()));
    }
    List<Op> reads = new ArrayList<>(Head.reads(paths, line.get(0)));
    reads.add(Op.getData(paths.session(line.get(ahead - 1).request().session())));
    return reads;
  }

  private static boolean isRemembered(Looker looker, Place place) {
    return remembered(looker, place).isPresent();
  }

  private static Optional<Placed> remembered(Looker looker, Place place) {
    return looker
        .known()
        .flatMap(known -> known.place(place.request()))
        .map(Remembered::placed)
        .filter(placed -> placed.place().equals(place));
  }

  private Optional<Standing> standing(
      Steps steps,
      Looker looker,
      Namespace present,
      Found found,
      List<OpResult> read,
      StoreClock clock) {
    if (found.ahead() < 0) {
      watches.forget(found.key().request());
      return Optional.of(new Standing.Absent());
    }
    Place first = found.line().get(0);
    if (found.ahead() == 0) {
      watches.forget(found.key().request());
      Optional<Placed> mine =
          isRemembered(looker, first)
              ? remembered(looker, first)
              : Node.of(read.get(found.details())).map(node -> Placed.of(first, node.stat()));
      mine.ifPresent(placed -> remember(looker, found.line(), placed));
      return mine.map(placed -> holding(present, placed, found.line().size()));
    }
    remembered(looker, found.line().get(found.ahead()))
        .ifPresent(placed -> remember(looker, found.line(), placed));
    Place next = found.line().get(found.ahead() - 1);
    List<OpResult> reads = read.subList(found.details(), read.size());
    boolean nextEnded = Node.of(reads.get(Head.READS)).isEmpty();
    looker.known().ifPresent(known -> watches.waitsBehind(known, found.key(), next));
    return Head.of(first, reads)
        .map(
            head ->
                new Standing.Waiting(
                    found.ahead(),
                    obstacles(steps, found.key().name(), present, head, next, nextEnded, clock),
                    found.ahead() == 1 ? head.dueIn(present, clock) : Optional.empty()));
  }

  private static void remember(Looker looker, List<Place> line, Placed placed) {
    looker.known().ifPresent(known -> known.remember(Remembered.in(line, placed)));
  }

  private List<Obstacle> obstacles(
      Steps steps,
      LockName name,
      Namespace namespace,
      Head head,
      Place next,
      boolean nextEnded,
      StoreClock clock) {
    List<Obstacle> obstacles = new ArrayList<>();
    Liveness liveness = heads.judge(steps, head, namespace, clock);
    if (liveness != Liveness.LIVE) {
      obstacles.add(new Obstacle(head.observed(name, namespace), head.place().request(), liveness));
    }
    if (nextEnded && !next.equals(head.place())) {
      obstacles.add(new Obstacle(head.observed(name, namespace), next.request(), Liveness.ENDED));
    }
    return obstacles;
  }
}
