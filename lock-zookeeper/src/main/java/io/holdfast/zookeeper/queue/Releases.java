package io.holdfast.zookeeper.queue;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
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
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * The verb {@code release}: a request leaves its queue, wherever it stands. Its remembered position
 * tells whether it held, and the number of nodes left whether another request holds now. So the
 * names are usually not read. They are read if no position is remembered, because an attempt was
 * not answered or another client uses the session; if the request shared the lock and nobody is
 * known to share it still; or if the remembered one that kept the request out has left, and there
 * were more.
 */
public final class Releases {

  private final Paths paths;
  private final QueueReader reader;
  private final Removals removals;
  private final StayList stays;
  private final PredecessorWatches watches;
  private final String where;

  public Releases(
      Paths paths, QueueReader reader, StayList stays, PredecessorWatches watches, String where) {
    this.removals = new Removals(stays);
    this.stays = stays;
    this.paths = paths;
    this.reader = reader;
    this.watches = watches;
    this.where = where;
  }

  /** Leaves, in the name of a session if this client speaks for it. */
  public Released release(Call call, LockName name, RequestId request, Optional<Session> session) {
    watches.forget(request);
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
            ? afterShared(call, name, position.creation().place(), departure.left())
            : afterExclusive(call, name, departure.left()));
  }

  /** Empty if others have written to the request's node. */
  private Optional<Released> leaveWaiting(Call call, LockName name, Waiting position) {
    Departure departure = depart(call, name, position, Optional.of(position.nearest()));
    if (!departure.isDone()) {
      return departure.notDone(call, name, position.request());
    }
    Optional<Stat> nearest = departure.other();
    boolean isShared = position.creation().place().asked() == LockMode.SHARED;
    // What was written to the nearest may be its downgrade, which lets a shared request in.
    boolean waited = nearest.filter(stat -> !isShared || stat.getVersion() == 0).isPresent();
    if (waited) {
      return Optional.of(Released.WAS_WAITING);
    }
    if (nearest.isEmpty() && position.next() && !(isShared && departure.left() > 0)) {
      return Optional.of(afterExclusive(call, name, departure.left()));
    }
    return Optional.of(
        QueueListing.read(call, paths.queue(name), departure.left())
            .map(rest -> released(call, position.creation().place(), rest.inOrder()))
            .orElse(Released.WAS_WAITING));
  }

  /**
   * A request's own node is deleted unless others have written to it. What is there besides is read
   * after that: a server that lags would tell of a request that has long left.
   */
  private Departure depart(
      Call call, LockName name, RememberedPosition position, Optional<RequestNode> other) {
    Pipeline pipeline = call.pipeline();
    Answer<Boolean> deleted =
        pipeline.delete(position.creation().place().path(), position.version());
    Optional<Answer<Stat>> remaining = other.map(place -> pipeline.stat(place.path()));
    Answer<Stat> size = pipeline.stat(paths.queue(name));
    pipeline.awaitAnswers();
    if (deleted.isOk() && position.creation().place().hasDelay()) {
      stays.remove(call, position.request(), StayList.Kind.DELAY);
    }
    return new Departure(deleted, remaining, size);
  }

  private final class Departure {
    private final Answer<Boolean> deleted;
    private final Optional<Answer<Stat>> other;
    private final Answer<Stat> size;

    Departure(Answer<Boolean> deleted, Optional<Answer<Stat>> other, Answer<Stat> size) {
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

    int left() {
      return QueueListing.nodes(size);
    }

    Optional<Released> notDone(Call call, LockName name, RequestId request) {
      return deleted.code() == Code.BADVERSION
          ? Optional.empty()
          : Optional.of(nothing(call, name, request));
    }
  }

  private Released afterExclusive(Call call, LockName name, int left) {
    return QueueListing.hasRequests(call, paths.queue(name), left)
        ? Released.HANDED_ON
        : Released.FREED;
  }

  /** One that shared the lock has left: the first of the others tells whether any still does. */
  private Released afterShared(Call call, LockName name, RequestNode mine, int left) {
    return QueueListing.read(call, paths.queue(name), left)
        .map(rest -> afterShared(call, mine, rest.inOrder()))
        .orElse(Released.SHARED);
  }

  private Released afterShared(Call call, RequestNode mine, List<RequestNode> rest) {
    if (rest.isEmpty()) {
      return Released.FREED;
    }
    RequestNode first = rest.get(0);
    boolean goesOn =
        first.asked() == LockMode.SHARED || (first.isBefore(mine) && isDowngraded(call, first));
    return goesOn ? Released.SHARED : Released.HANDED_ON;
  }

  private boolean isDowngraded(Call call, RequestNode place) {
    return reader.entry(call, place).filter(Entry::shares).isPresent();
  }

  /** How a request stood that has left, by those that were there after it. */
  private Released released(Call call, RequestNode mine, List<RequestNode> rest) {
    List<RequestNode> ahead = rest.stream().filter(place -> place.isBefore(mine)).toList();
    if (mine.asked() == LockMode.SHARED) {
      return share(call, ahead) ? afterShared(call, mine, rest) : Released.WAS_WAITING;
    }
    if (!ahead.isEmpty()) {
      return Released.WAS_WAITING;
    }
    return rest.isEmpty() ? Released.FREED : Released.HANDED_ON;
  }

  /** Returns whether all of these share the lock. */
  private boolean share(Call call, List<RequestNode> ahead) {
    return ahead.isEmpty()
        || (ahead.stream().skip(1).allMatch(place -> place.asked() == LockMode.SHARED)
            && (ahead.get(0).asked() == LockMode.SHARED || isDowngraded(call, ahead.get(0))));
  }

  /** For a request of which this client does not know where it stands, or whether it does. */
  private Released search(Call call, LockName name, RequestId request, boolean isOwn) {
    String queue = paths.queue(name);
    Pipeline pipeline = call.pipeline();
    pipeline.sync(queue);
    Answer<Stat> size = pipeline.stat(queue);
    pipeline.awaitAnswers();
    Optional<QueueListing> places = QueueListing.read(call, queue, QueueListing.nodes(size));
    if (places.isEmpty() && !isOwn) {
      throw QueueListing.tooMany(call, queue);
    }
    List<RequestNode> mine =
        places
            .map(all -> all.of(request))
            .orElseGet(() -> QueueListing.ofSession(call, queue, request));
    List<Entry> entries =
        reader.entries(call, mine).stream().filter(entry -> !entry.isTombstone()).toList();
    if (entries.isEmpty()) {
      return nothing(call, name, request);
    }
    if (!deleteAll(call, entries)) {
      return search(call, name, request, isOwn);
    }
    return places.map(all -> released(call, all, request, entries)).orElse(Released.WAS_WAITING);
  }

  /** Returns false if one was written to, or has left, since it was read. */
  private boolean deleteAll(Call call, List<Entry> entries) {
    return entries.stream()
        .map(entry -> removals.remove(call, entry))
        .reduce(true, Boolean::logicalAnd);
  }

  private Released nothing(Call call, LockName name, RequestId request) {
    if (call.isRetry()) {
      throw new BackendFailure(
          Effect.UNKNOWN,
          "Whether the request %s left the queue of lock %s at %s by itself is not known."
              .formatted(request, name, where),
          null);
    }
    return Released.NOTHING;
  }

  private Released released(Call call, QueueListing before, RequestId request, List<Entry> mine) {
    List<RequestNode> rest =
        before.inOrder().stream().filter(place -> !place.request().equals(request)).toList();
    Optional<RequestNode> first = before.first(request);
    if (first.isEmpty()) {
      return Released.WAS_WAITING;
    }
    boolean downgraded =
        first.get().asked() == LockMode.EXCLUSIVE
            && mine.stream().anyMatch(entry -> entry.place().equals(first.get()) && entry.shares());
    return downgraded ? afterShared(call, first.get(), rest) : released(call, first.get(), rest);
  }
}
