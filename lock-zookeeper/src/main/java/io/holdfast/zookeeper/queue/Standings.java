package io.holdfast.zookeeper.queue;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Obstacle;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Standing;
import io.holdfast.spi.support.Batches;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Namespaces;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestCreation;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.RememberedPosition;
import io.holdfast.zookeeper.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * The verb {@code look}: how the requests of a session stand. It checks the remembered positions
 * first, all in one request. Where the head or the nearest has left, it lists the queue again, and
 * then reads the requests ahead.
 */
public final class Standings {

  /** How many queues are read at once. */
  static final int QUEUES_PER_READ = 8;

  private final Paths paths;
  private final Namespaces namespaces;
  private final HeadReader heads;
  private final PredecessorWatches watches;

  public Standings(
      Paths paths, Namespaces namespaces, HeadReader heads, PredecessorWatches watches) {
    this.paths = paths;
    this.namespaces = namespaces;
    this.heads = heads;
    this.watches = watches;
  }

  public List<Standing> look(
      Call call, SessionId session, Optional<Session> known, List<RequestKey> requests) {
    List<Standing> standings = new ArrayList<>();
    for (List<RequestKey> batch : Batches.of(requests, QUEUES_PER_READ)) {
      Optional<List<Standing>> seen;
      do {
        seen = look(call, new Asker(session, known), batch);
        // A request has left between two reads.
      } while (seen.isEmpty());
      standings.addAll(seen.get());
    }
    return standings;
  }

  private record Asker(SessionId session, Optional<Session> known) {
    Optional<RememberedPosition> place(RequestId request) {
      return known.flatMap(present -> present.onlyPlace(request));
    }
  }

  /** Where one request was found, and where in the second pipeline's reads its details begin. */
  private record Found(RequestKey key, List<RequestNode> queue, int ahead, int details) {}

  /** What the first pipeline has read, and the store's time by it. */
  private record Seen(List<OpResult> all, StoreClock clock) {}

  /** Empty if what was read first is not there any more. */
  private Optional<List<Standing>> look(Call call, Asker asker, List<RequestKey> batch) {
    List<Op> reads = new ArrayList<>();
    reads.add(Op.getData(paths.namespace()));
    reads.add(Op.getData(paths.session(asker.session())));
    List<Glance> glances = new ArrayList<>();
    for (RequestKey key : batch) {
      glances.add(new Glance(paths, key, asker.place(key.request()), reads.size()));
      reads.addAll(glances.get(glances.size() - 1).reads());
    }
    Pipeline pipeline = call.pipeline();
    pipeline.sync(paths.locks());
    Answer<List<OpResult>> answer = pipeline.readAll(reads);
    pipeline.awaitAnswers();
    List<OpResult> all = answer.value().orElseThrow();
    Seen seen = new Seen(all, new StoreClock());
    Node.of(all.get(1)).ifPresent(node -> seen.clock().see(node.stat()));
    Optional<Namespace> namespace = namespaces.of(Node.of(all.get(0)));
    List<Optional<Standing>> known =
        glances.stream().map(glance -> unlisted(call, asker, namespace, glance, seen)).toList();
    List<RequestKey> unknown =
        IntStream.range(0, batch.size())
            .filter(i -> known.get(i).isEmpty())
            .mapToObj(batch::get)
            .toList();
    return namespace
        .filter(present -> !unknown.isEmpty())
        .map(present -> read(call, asker, present, unknown))
        .orElse(Optional.of(List.of()))
        .map(List::iterator)
        .map(read -> known.stream().map(standing -> standing.orElseGet(read::next)).toList());
  }

  /** How a request stands, if that is known without its queue's names, or if they are too many. */
  private Optional<Standing> unlisted(
      Call call, Asker asker, Optional<Namespace> namespace, Glance glance, Seen seen) {
    int nodes = glance.nodes(seen.all());
    if (namespace.isEmpty() || nodes == 0) {
      watches.forget(glance.key().request());
      return Optional.of(new Standing.Absent());
    }
    Optional<Standing> known =
        glance
            .standsThere(seen.all())
            .flatMap(
                position ->
                    position.nearest().isPresent() && glance.isNearestThere(seen.all())
                        ? waiting(call, asker, namespace.get(), glance, position, seen)
                        : holding(asker, namespace.get(), glance, position, nodes));
    return known.isEmpty() && nodes > QueueListing.READABLE_MAX
        ? Optional.of(unreadable(call, asker, glance.key(), nodes))
        : known;
  }

  /** Empty if others may be ahead that are not remembered. */
  private Optional<Standing> holding(
      Asker asker, Namespace namespace, Glance glance, RememberedPosition position, int nodes) {
    if (!position.remembersAllAhead()) {
      return Optional.empty();
    }
    watches.forget(glance.key().request());
    asker
        .known()
        .ifPresent(known -> known.remember(RememberedPosition.holding(position.creation())));
    return Optional.of(holding(namespace, position.creation(), nodes));
  }

  /** Empty if the head has changed. */
  private Optional<Standing> waiting(
      Call call,
      Asker asker,
      Namespace namespace,
      Glance glance,
      RememberedPosition position,
      Seen seen) {
    RequestNode nearest = position.nearest().orElseThrow();
    return glance
        .head(seen.all(), position.head())
        .map(
            head -> {
              asker.known().ifPresent(known -> watches.waitsBehind(known, glance.key(), nearest));
              Ahead ahead =
                  new Ahead(
                      head,
                      nearest,
                      glance.isSessionOfNearestOver(seen.all()),
                      position.requestsAhead());
              return waiting(call, glance.key().name(), namespace, ahead, seen.clock());
            });
  }

  private static Standing holding(Namespace namespace, RequestCreation mine, int requests) {
    return new Standing.Holding(
        namespace.number(mine.zxid()), mine.since(), Contention.of(requests - 1));
  }

  /**
   * No request joins a queue that is too long to be read. A request that is in it keeps waiting.
   */
  private Standing unreadable(Call call, Asker asker, RequestKey key, int nodes) {
    String queue = paths.queue(key.name());
    if (asker.known().isEmpty()) {
      throw QueueListing.tooMany(call, queue);
    }
    return QueueListing.ofSession(call, queue, key.request()).isEmpty()
        ? new Standing.Absent()
        : new Standing.Waiting(nodes - 1, List.of(), Optional.empty());
  }

  /** Empty if what was read first is not there any more. */
  private Optional<List<Standing>> read(
      Call call, Asker asker, Namespace namespace, List<RequestKey> batch) {
    Pipeline pipeline = call.pipeline();
    // Each in an answer of its own, since an answer has an end.
    List<Answer<List<String>>> listed =
        batch.stream().map(key -> pipeline.children(paths.queue(key.name()))).toList();
    pipeline.awaitAnswers();
    List<Op> details = new ArrayList<>();
    details.add(Op.getData(paths.session(asker.session())));
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      RequestKey key = batch.get(i);
      String path = paths.queue(key.name());
      QueueListing places =
          QueueListing.of(call, path, listed.get(i).value().orElse(List.of()))
              .orElseThrow(() -> QueueListing.tooMany(call, path));
      List<RequestNode> queue = places.inOrder();
      int ahead = queue.stream().map(RequestNode::request).toList().indexOf(key.request());
      if (ahead < 0) {
        removePastEnd(call, places.of(key.request()));
      }
      found.add(new Found(key, queue, ahead, details.size()));
      details.addAll(details(asker, queue, ahead));
    }
    List<OpResult> read = details.size() > 1 ? call.read(details) : List.of();
    List<Standing> standings = new ArrayList<>();
    StoreClock clock = new StoreClock();
    if (!read.isEmpty()) {
      Node.of(read.get(0)).ifPresent(node -> clock.see(node.stat()));
    }
    for (Found one : found) {
      Optional<Standing> standing = standing(call, asker, namespace, one, read, clock);
      if (standing.isEmpty()) {
        return Optional.empty();
      }
      standings.add(standing.get());
    }
    return Optional.of(standings);
  }

  /** A join that was given up halfway may have left a node that stands in no queue. */
  private static void removePastEnd(Call call, List<RequestNode> places) {
    Pipeline pipeline = call.pipeline();
    places.stream()
        .filter(RequestNode::isPastEnd)
        .forEach(place -> pipeline.delete(place.path(), Pipeline.ANY_VERSION));
    pipeline.awaitAnswers();
  }

  /**
   * For a waiting request: the head and the next one ahead. For a holding request: its own node,
   * unless that is remembered.
   */
  private List<Op> details(Asker asker, List<RequestNode> queue, int ahead) {
    if (ahead < 0) {
      return List.of();
    }
    if (ahead == 0) {
      return isRemembered(asker, queue.get(0))
          ? List.of()
          : List.of(Op.getData(queue.get(0).path()));
    }
    List<Op> reads = new ArrayList<>(Head.reads(paths, queue.get(0)));
    reads.add(Op.getData(paths.session(queue.get(ahead - 1).request().session())));
    return reads;
  }

  private static boolean isRemembered(Asker asker, RequestNode place) {
    return remembered(asker, place).isPresent();
  }

  private static Optional<RequestCreation> remembered(Asker asker, RequestNode place) {
    return asker
        .known()
        .flatMap(known -> known.place(place.request()))
        .map(RememberedPosition::creation)
        .filter(creation -> creation.place().equals(place));
  }

  private Optional<Standing> standing(
      Call call,
      Asker asker,
      Namespace present,
      Found found,
      List<OpResult> read,
      StoreClock clock) {
    if (found.ahead() < 0) {
      watches.forget(found.key().request());
      return Optional.of(new Standing.Absent());
    }
    RequestNode first = found.queue().get(0);
    if (found.ahead() == 0) {
      watches.forget(found.key().request());
      Optional<RequestCreation> mine =
          isRemembered(asker, first)
              ? remembered(asker, first)
              : Node.of(read.get(found.details()))
                  .map(node -> RequestCreation.of(first, node.stat()));
      mine.ifPresent(creation -> remember(asker, found.queue(), creation));
      return mine.map(creation -> holding(present, creation, found.queue().size()));
    }
    remembered(asker, found.queue().get(found.ahead()))
        .ifPresent(creation -> remember(asker, found.queue(), creation));
    RequestNode next = found.queue().get(found.ahead() - 1);
    List<OpResult> reads = read.subList(found.details(), read.size());
    boolean nextEnded = Node.of(reads.get(Head.READS)).isEmpty();
    asker.known().ifPresent(known -> watches.waitsBehind(known, found.key(), next));
    return Head.of(first, reads)
        .map(head -> new Ahead(head, next, nextEnded, found.ahead()))
        .map(ahead -> waiting(call, found.key().name(), present, ahead, clock));
  }

  /** The requests ahead of a waiting one: the head and the nearest. */
  private record Ahead(Head head, RequestNode nearest, boolean nearestEnded, int requests) {}

  private Standing waiting(
      Call call, LockName name, Namespace namespace, Ahead ahead, StoreClock clock) {
    return new Standing.Waiting(
        ahead.requests(),
        obstacles(call, name, namespace, ahead, clock),
        ahead.requests() == 1 ? ahead.head().dueIn(namespace, clock) : Optional.empty());
  }

  private static void remember(Asker asker, List<RequestNode> queue, RequestCreation creation) {
    asker.known().ifPresent(known -> known.remember(RememberedPosition.in(queue, creation)));
  }

  private List<Obstacle> obstacles(
      Call call, LockName name, Namespace namespace, Ahead ahead, StoreClock clock) {
    List<Obstacle> obstacles = new ArrayList<>();
    Head head = ahead.head();
    Liveness liveness = heads.judge(call, head, namespace, clock);
    if (liveness != Liveness.LIVE) {
      obstacles.add(new Obstacle(head.observed(name, namespace), head.place().request(), liveness));
    }
    if (ahead.nearestEnded() && !ahead.nearest().equals(head.place())) {
      obstacles.add(
          new Obstacle(head.observed(name, namespace), ahead.nearest().request(), Liveness.ENDED));
    }
    return obstacles;
  }
}
