package io.holdfast.zookeeper;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.Waiter;
import io.holdfast.spi.Obstacle;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Standing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/** What is seen of locks. */
final class Views {

  /** So many queues are read at once: an answer has an end, a megabyte unless told otherwise. */
  private static final int QUEUES_PER_READ = 8;

  /** So many requests are read at once, each of six kilobytes at most. */
  private static final int PLACES_PER_READ = 100;

  private final Paths paths;
  private final Namespaces namespaces;
  private final Heads heads;
  private final Watches watches;

  Views(Paths paths, Namespaces namespaces, Heads heads, Watches watches) {
    this.paths = paths;
    this.namespaces = namespaces;
    this.heads = heads;
    this.watches = watches;
  }

  List<Standing> look(
      Steps steps, SessionId session, Optional<Session> known, List<RequestKey> requests) {
    List<Standing> standings = new ArrayList<>();
    for (List<RequestKey> batch : batches(requests, QUEUES_PER_READ)) {
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
    List<OpResult> read = details.size() > 1 ? readAll(steps, details) : List.of();
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

  private static List<OpResult> readAll(Steps steps, List<Op> reads) {
    Flight flight = steps.flight();
    Answer<List<OpResult>> answer = flight.readAll(reads);
    flight.land();
    return answer.value().orElseThrow();
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

  /** Returns the record of a lock, if it is held. */
  Optional<LockRecord> inspect(Steps steps, LockName name) {
    Heads.Seen seen = heads.see(steps, name);
    if (seen.head().isEmpty()) {
      return Optional.empty();
    }
    Namespace namespace = seen.namespace().orElseThrow();
    Head head = seen.head().get();
    // Who only looks is about to leave.
    List<Place> waiting =
        seen.line().stream().skip(1).filter(place -> place.ifHeld() == IfHeld.QUEUE).toList();
    return Optional.of(
        new LockRecord(
            name,
            namespace.number(head.stat().getCzxid()),
            Optional.of(head.holder(namespace, seen.clock())),
            waiters(steps, waiting)));
  }

  private static List<Waiter> waiters(Steps steps, List<Place> waiting) {
    List<Waiter> waiters = new ArrayList<>();
    for (List<Place> batch : batches(waiting, PLACES_PER_READ)) {
      List<OpResult> read =
          readAll(steps, batch.stream().map(place -> Op.getData(place.path())).toList());
      for (int i = 0; i < batch.size(); i++) {
        Place place = batch.get(i);
        Node.of(read.get(i)).ifPresent(node -> waiters.add(place.entry(node.data()).asWaiter()));
      }
    }
    return waiters;
  }

  List<LockRecord> list(Steps steps, String prefix, Optional<LockName> after, int most) {
    byte[] start = LockName.utf8("A prefix", prefix);
    List<LockName> names =
        names(steps).stream()
            .filter(name -> startsWith(name.bytes(), start))
            .filter(name -> after.isEmpty() || name.compareTo(after.get()) > 0)
            .sorted()
            .toList();
    List<LockRecord> records = new ArrayList<>();
    for (List<LockName> batch : batches(names, QUEUES_PER_READ)) {
      if (records.size() >= most) {
        break;
      }
      held(steps, batch).stream()
          .limit(most - (long) records.size())
          .forEach(name -> inspect(steps, name).ifPresent(records::add));
    }
    return records;
  }

  private List<LockName> names(Steps steps) {
    Flight top = steps.flight();
    top.sync(paths.locks());
    Answer<List<String>> buckets = top.children(paths.locks());
    top.land();
    Flight flight = steps.flight();
    List<Answer<List<String>>> all =
        buckets.value().orElse(List.of()).stream()
            .map(bucket -> flight.children(paths.bucket(bucket)))
            .toList();
    flight.land();
    return all.stream()
        .flatMap(answer -> answer.value().orElse(List.of()).stream())
        .flatMap(node -> Paths.nameOf(node).stream())
        .toList();
  }

  private List<LockName> held(Steps steps, List<LockName> names) {
    List<OpResult> read =
        readAll(steps, names.stream().map(name -> Op.getChildren(paths.queue(name))).toList());
    List<LockName> held = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (!Node.childrenOf(read.get(i)).isEmpty()) {
        held.add(names.get(i));
      }
    }
    return held;
  }

  private static boolean startsWith(byte[] bytes, byte[] start) {
    return bytes.length >= start.length
        && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
  }

  private static <T> List<List<T>> batches(List<T> all, int size) {
    List<List<T>> batches = new ArrayList<>();
    for (int from = 0; from < all.size(); from += size) {
      batches.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return batches;
  }
}
