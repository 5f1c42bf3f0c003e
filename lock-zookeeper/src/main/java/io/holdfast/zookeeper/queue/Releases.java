package io.holdfast.zookeeper.queue;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Released;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.RememberedPosition;
import io.holdfast.zookeeper.session.Session;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/**
 * The verb {@code release}: a request leaves its queue, wherever it stands. Its remembered position
 * tells whether it held, and the number of nodes left tells whether another request holds now. So
 * the names are usually not read. They are read if no position is remembered, because an attempt
 * was not answered or another client uses the session. They are also read if both remembered
 * requests ahead have left and there were more between them.
 */
public final class Releases {

  private final Paths paths;
  private final PredecessorWatches watches;
  private final String where;

  public Releases(Paths paths, PredecessorWatches watches, String where) {
    this.paths = paths;
    this.watches = watches;
    this.where = where;
  }

  /** Leaves, in the name of a session if this client speaks for it. */
  public Released release(Call call, LockName name, RequestId request, Optional<Session> session) {
    watches.forget(request);
    return session
        .flatMap(known -> known.onlyPlace(request))
        .map(place -> leave(call, name, place))
        .orElseGet(() -> search(call, name, request, session.isPresent()));
  }

  private Released leave(Call call, LockName name, RememberedPosition remembered) {
    String queue = paths.queue(name);
    RequestNode mine = remembered.creation().place();
    Pipeline pipeline = call.pipeline();
    RememberedPosition.Predecessors ahead = remembered.ask(pipeline);
    Answer<Boolean> deleted = pipeline.delete(mine.path(), Pipeline.ANY_VERSION);
    Answer<Stat> size = pipeline.stat(queue);
    pipeline.awaitAnswers();
    if (!deleted.isOk()) {
      return nothing(call, name, remembered.request());
    }
    if (ahead.anyLeft()) {
      return Released.WAS_WAITING;
    }
    int left = QueueListing.nodes(size);
    if (ahead.noneLeft() || left == 0) {
      return QueueListing.hasRequests(call, queue, left) ? Released.HANDED_ON : Released.FREED;
    }
    return QueueListing.read(call, queue, left)
        .map(rest -> released(mine, rest.inOrder()))
        .orElse(Released.WAS_WAITING);
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
    if (!deleteAll(call, mine)) {
      return nothing(call, name, request);
    }
    return places.map(all -> released(all, request)).orElse(Released.WAS_WAITING);
  }

  /** Returns whether there was any. */
  private static boolean deleteAll(Call call, List<RequestNode> places) {
    Pipeline pipeline = call.pipeline();
    List<Answer<Boolean>> deleted =
        places.stream().map(place -> pipeline.delete(place.path(), Pipeline.ANY_VERSION)).toList();
    pipeline.awaitAnswers();
    return deleted.stream().anyMatch(Answer::isOk);
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

  private static Released released(QueueListing before, RequestId request) {
    List<RequestNode> rest =
        before.inOrder().stream().filter(place -> !place.request().equals(request)).toList();
    return before.first(request).map(mine -> released(mine, rest)).orElse(Released.WAS_WAITING);
  }

  private static Released released(RequestNode mine, List<RequestNode> rest) {
    if (rest.isEmpty()) {
      return Released.FREED;
    }
    return rest.get(0).isBefore(mine) ? Released.WAS_WAITING : Released.HANDED_ON;
  }
}
