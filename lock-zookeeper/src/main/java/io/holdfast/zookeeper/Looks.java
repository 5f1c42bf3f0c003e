package io.holdfast.zookeeper;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.Batches;
import io.holdfast.spi.Obstacle;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/** How the requests of a session stand: first their queues are read, then who is ahead of them. */
final class Looks {

  /** So many queues are read at once: an answer has an end, a megabyte unless told otherwise. */
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
    Optional<Placed> place(RequestId request) {
      return known.flatMap(present -> present.place(request));
    }
  }

  /** Where one request was found, and where in the second flight's reads its details begin. */
  private record Found(RequestKey key, List<Place> line, int ahead, int details) {}

  /** Empty if what was read first is not there any more. */
  private Optional<List<Standing>> look(Steps steps, Looker looker, List<RequestKey> batch) {
    Flight flight = steps.flight();
    flight.sync(paths.locks());
    List<Op> lists = new ArrayList<>();
    lists.add(Op.getData(paths.namespace()));
    batch.forEach(key -> lists.add(Op.getChildren(paths.queue(key.name()))));
    Answer<List<OpResult>> listed = flight.readAll(lists);
    flight.land();
    List<OpResult> results = listed.value().orElseThrow();
    Optional<Namespace> namespace = namespaces.of(Node.of(results.get(0)));
    List<Op> details = new ArrayList<>();
    details.add(Op.getData(paths.session(looker.session())));
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      RequestKey key = batch.get(i);
      List<Place> line = Place.queue(paths.queue(key.name()), Node.childrenOf(results.get(i + 1)));
      int ahead =
          namespace.isEmpty()
              ? -1
              : line.stream().map(Place::request).toList().indexOf(key.request());
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
    return looker.place(place.request()).map(Placed::place).filter(place::equals).isPresent();
  }

  private Optional<Standing> standing(
      Steps steps,
      Looker looker,
      Optional<Namespace> namespace,
      Found found,
      List<OpResult> read,
      StoreClock clock) {
    if (found.ahead() < 0) {
      watches.forget(found.key().request());
      return Optional.of(new Standing.Absent());
    }
    Namespace present = namespace.orElseThrow();
    Place first = found.line().get(0);
    if (found.ahead() == 0) {
      watches.forget(found.key().request());
      Optional<Placed> mine =
          isRemembered(looker, first)
              ? looker.place(first.request())
              : Node.of(read.get(found.details())).map(node -> Placed.of(first, node.stat()));
      mine.ifPresent(placed -> looker.known().ifPresent(known -> known.remember(placed)));
      return mine.map(
          placed -> new Standing.Holding(present.number(placed.zxid()), placed.since()));
    }
    Place next = found.line().get(found.ahead() - 1);
    List<OpResult> reads = read.subList(found.details(), read.size());
    boolean nextEnded = Node.of(reads.get(Head.READS)).isEmpty();
    looker.known().ifPresent(known -> watches.waitsBehind(known, found.key(), next));
    return Head.of(first, reads)
        .map(
            head ->
                new Standing.Waiting(
                    found.ahead(),
                    obstacles(steps, found.key().name(), present, head, next, nextEnded, clock)));
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
