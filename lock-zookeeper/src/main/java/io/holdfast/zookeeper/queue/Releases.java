package io.holdfast.zookeeper.queue;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.record.RequestId;
import io.holdfast.spi.answer.Released;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.RememberedPosition;
import io.holdfast.zookeeper.session.RememberedPosition.Holding;
import io.holdfast.zookeeper.session.RememberedPosition.Waiting;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.StayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/**
 * The verb {@code release}: a request leaves its queue, wherever it stands. Its remembered position
 * tells whether it held, and the number of nodes left whether another request holds now. So the
 * names are usually not read. They are read if no position is remembered, because an attempt was
 * not answered or another client uses the session; if the request shared the lock and no other is
 * known to share it still; or if the remembered one that kept the request out has left, and there
 * were more.
 */
public final class Releases {

  private final Paths paths;
  private final Retakes retakes;
  private final QueueReader reader;
  private final OthersLeft others;
  private final StayList stays;
  private final String where;

  public Releases(Paths paths, Retakes retakes, QueueReader reader, StayList stays, String where) {
    this.retakes = retakes;
    this.others = new OthersLeft(paths, reader);
    this.stays = stays;
    this.paths = paths;
    this.reader = reader;
    this.where = where;
  }

  /** Leaves, in the name of a session if this client speaks for it. */
  public Released release(Call call, LockName name, RequestId request, Optional<Session> session) {
    return session
        .flatMap(known -> known.onlyPlace(request))
        .map(position -> leave(call, name, position))
        .orElseGet(() -> search(call, name, request, session.isPresent()));
  }

  /** Repeats while others write to the request's node: each time a revocation has made progress. */
  private Released leave(Call call, LockName name, RememberedPosition remembered) {
    RememberedPosition position = remembered;
    while (true) {
      Optional<Released> released =
          position instanceof Waiting waiting
              ? leaveWaiting(call, name, waiting)
              : leaveHeld(call, name, (Holding) position);
      if (released.isPresent()) {
        return released.get();
      }
      Optional<Entry> own = reader.entry(call, position.creation().place());
      if (own.isEmpty() || own.get().isTombstone()) {
        return nothing(call, name, position.request());
      }
      position = own.get().holding();
    }
  }

  /** Empty if others have written to the request's node. */
  private Optional<Released> leaveHeld(Call call, LockName name, Holding position) {
    Departure departure = depart(call, name, position, position.companion());
    if (!departure.isDone()) {
      return departure.notDone(call, name, position.request());
    }
    if (departure.other().isPresent()) {
      return Optional.of(Released.SHARED);
    }
    return Optional.of(
        departure.left() > 0 && position.mode() == LockMode.SHARED
            ? others.afterShared(call, name, position.creation().place(), departure.left())
            : others.afterExclusive(call, name, departure.left()));
  }

  /** Empty if others have written to the request's node. */
  private Optional<Released> leaveWaiting(Call call, LockName name, Waiting position) {
    Departure departure = depart(call, name, position, Optional.of(position.nearest()));
    if (!departure.isDone()) {
      return departure.notDone(call, name, position.request());
    }
    Optional<Stat> nearest = departure.other();
    boolean isShared = position.creation().place().asked() == LockMode.SHARED;
    // A write to the nearest may be its downgrade, which lets a shared request in.
    boolean waited = nearest.filter(stat -> !isShared || stat.getVersion() == 0).isPresent();
    if (waited) {
      return Optional.of(Released.WAS_WAITING);
    }
    if (nearest.isEmpty() && position.next() && !(isShared && departure.left() > 0)) {
      return Optional.of(others.afterExclusive(call, name, departure.left()));
    }
    return Optional.of(
        QueueListing.read(call, paths.queue(name), departure.left())
            .map(rest -> others.after(call, position.creation().place(), rest.inOrder()))
            .orElse(Released.WAS_WAITING));
  }

  /**
   * A request's own node is deleted unless others have written to it. A write to the queue's node,
   * which changes nothing there, tells in the same step how many are left. The other nodes are read
   * after that: a server that lags would tell of a request that has long left. Then the number is
   * read once more, after it: one that is not there any more must not be counted.
   */
  private Departure depart(
      Call call, LockName name, RememberedPosition position, Optional<RequestNode> other) {
    Pipeline pipeline = call.pipeline();
    Answer<List<OpResult>> deleted =
        pipeline.writeAll(
            List.of(
                Op.delete(position.creation().place().path(), position.version()),
                retakes.count(name)));
    Optional<Answer<Stat>> remaining = other.map(place -> pipeline.stat(place.path()));
    Optional<Answer<Stat>> size = other.map(place -> pipeline.stat(paths.queue(name)));
    pipeline.awaitAnswers();
    Departure departure = new Departure(deleted, remaining, size);
    if (departure.isDone()) {
      stays.removeDelay(call, position.creation().place());
      if (departure.queue().getNumChildren() == 0) {
        retakes.leftFree(name, departure.queue());
      }
    }
    return departure;
  }

  private final class Departure {
    private static final int QUEUE = 1;

    private final Answer<List<OpResult>> deleted;
    private final Optional<Answer<Stat>> other;
    private final Optional<Answer<Stat>> size;

    Departure(
        Answer<List<OpResult>> deleted, Optional<Answer<Stat>> other, Optional<Answer<Stat>> size) {
      this.deleted = deleted;
      this.other = other;
      this.size = size;
    }

    boolean isDone() {
      return deleted.isOk();
    }

    /** Returns the other request that was asked for; empty if it has left, too. */
    Optional<Stat> other() {
      return other.flatMap(Answer::value);
    }

    /** Returns how many nodes are left in the queue. */
    int left() {
      return size.map(QueueListing::nodes).orElseGet(() -> queue().getNumChildren());
    }

    /** Returns the queue's node as of the moment at which the request left. */
    Stat queue() {
      return ((OpResult.SetDataResult) deleted.value().orElseThrow().get(QUEUE)).getStat();
    }

    Optional<Released> notDone(Call call, LockName name, RequestId request) {
      return deleted.code() == Code.BADVERSION
          ? Optional.empty()
          : Optional.of(nothing(call, name, request));
    }
  }

  /**
   * For a request of which this client does not know where it stands, or whether it does. Of
   * several nodes the one that counts goes last: until then the request has its place.
   */
  private Released search(Call call, LockName name, RequestId request, boolean isOwn) {
    List<Entry> entries = find(call, name, request, isOwn);
    if (entries.isEmpty()) {
      return nothing(call, name, request);
    }
    Entry counts = entries.get(0);
    Optional<Departure> departure =
        removeCopies(call, entries.subList(1, entries.size()))
            ? Optional.of(depart(call, name, counts.holding(), Optional.empty()))
            : Optional.empty();
    if (departure.filter(Departure::isDone).isPresent()) {
      return QueueListing.read(call, paths.queue(name), departure.get().left())
          .map(rest -> others.afterRequest(call, counts, rest.inOrder()))
          .orElse(Released.WAS_WAITING);
    }
    return departure
        .flatMap(tried -> tried.notDone(call, name, request))
        .orElseGet(() -> search(call, name, request, isOwn));
  }

  /** Finds all nodes of a request, the one that counts first. */
  private List<Entry> find(Call call, LockName name, RequestId request, boolean isOwn) {
    String queue = paths.queue(name);
    Pipeline pipeline = call.pipeline();
    pipeline.sync(queue);
    Answer<Stat> size = pipeline.stat(queue);
    pipeline.awaitAnswers();
    Optional<QueueListing> places = QueueListing.read(call, queue, QueueListing.nodes(size));
    if (places.isEmpty() && (!isOwn || stays.has(call, request, StayList.Kind.DELAY))) {
      throw QueueListing.tooMany(call, queue);
    }
    List<RequestNode> mine =
        places
            .map(all -> all.of(request))
            .orElseGet(() -> QueueListing.ofSession(call, queue, request));
    List<RequestNode> inOrder =
        mine.stream()
            .sorted(Comparator.comparing(RequestNode::isPastEnd).thenComparing(RequestNode.ORDER))
            .toList();
    return reader.entries(call, inOrder).stream().filter(entry -> !entry.isTombstone()).toList();
  }

  /**
   * Returns false if one was written to since it was read. A client that removes one removes all.
   */
  private static boolean removeCopies(Call call, List<Entry> copies) {
    Pipeline pipeline = call.pipeline();
    List<Answer<Boolean>> removed =
        copies.stream()
            .map(copy -> pipeline.delete(copy.place().path(), copy.stat().getVersion()))
            .toList();
    pipeline.awaitAnswers();
    return removed.stream().noneMatch(answer -> answer.code() == Code.BADVERSION);
  }

  private Released nothing(Call call, LockName name, RequestId request) {
    if (call.isRetry()) {
      throw Removals.notKnown(name, request, where);
    }
    return Released.NOTHING;
  }
}
