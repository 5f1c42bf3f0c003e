package io.holdfast.zookeeper.queue;

import io.holdfast.LockName;
import io.holdfast.spi.Request;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.CreatedWith;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestCreation;
import io.holdfast.zookeeper.layout.RequestData;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.Session;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/**
 * Takes a lock again that this client was the last to give back, with one request: a transaction
 * that creates the request's node, and checks the session and the namespace. It also writes to the
 * queue's node, which changes nothing there; the answer to that tells how many requests there are
 * now, and the transaction and its time, of which the request's number is made.
 *
 * <p>That write is for the version that the release has made. So a second copy of the request finds
 * another version, and does nothing. Where the version is not known, or is another by now, the
 * request {@linkplain Joins joins} as any other. A lock that others often give back in between is
 * tried less and less often. Thread-safe.
 */
public final class Retakes {

  /** Of so many locks is remembered what was seen, of those that were given back last. */
  private static final int LOCKS_MAX = 10_000;

  private static final int SKIPPED_MAX = 63;

  /** An empty queue is removed by the servers a minute or two later. */
  private static final long REMEMBERED_NANOS = Duration.ofMinutes(1).toNanos();

  private static final int QUEUE = 0;
  private static final byte[] NOTHING = {};

  /**
   * The last sight of a lock.
   *
   * @param version of the queue's node since it was given back, if it may be tried
   * @param sinceNanos when that was
   * @param skips how often it is not tried when it was given back
   * @param penalty how often it was not tried since the last time that it was in vain
   */
  private record Seen(OptionalInt version, long sinceNanos, int skips, int penalty) {

    static final Seen NOTHING = new Seen(OptionalInt.empty(), 0, 0, 0);

    Seen leftFree(int freeVersion) {
      return skips > 0
          ? new Seen(OptionalInt.empty(), 0, skips - 1, penalty)
          : new Seen(OptionalInt.of(freeVersion), System.nanoTime(), 0, penalty);
    }

    OptionalInt recentVersion() {
      return System.nanoTime() - sinceNanos < REMEMBERED_NANOS ? version : OptionalInt.empty();
    }

    Seen tried() {
      return new Seen(OptionalInt.empty(), 0, skips, penalty);
    }

    Seen inVain() {
      int more = Math.min(2 * penalty + 1, SKIPPED_MAX);
      return new Seen(OptionalInt.empty(), 0, more, more);
    }
  }

  private final Paths paths;

  private final Map<LockName, Seen> locks =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<LockName, Seen> eldest) {
          return size() > LOCKS_MAX;
        }
      };

  public Retakes(Paths paths) {
    this.paths = paths;
  }

  /** Returns the write to the queue's node that tells how many requests it has. */
  Op count(LockName name) {
    return Op.setData(paths.queue(name), NOTHING, Pipeline.ANY_VERSION);
  }

  /** Takes note of the answer to that write: no request is left in the queue. */
  void leftFree(LockName name, Stat queue) {
    if (queue.getVersion() == Pipeline.ANY_VERSION) {
      return; // It has been counted to the end and beyond.
    }
    update(name, seen -> seen.leftFree(queue.getVersion()));
  }

  /** Returns what was seen before. */
  private Seen update(LockName name, UnaryOperator<Seen> change) {
    synchronized (locks) {
      Seen before = Optional.ofNullable(locks.remove(name)).orElse(Seen.NOTHING);
      Seen after = change.apply(before);
      if (!after.equals(Seen.NOTHING)) {
        locks.put(name, after); // It comes last when it comes to forgetting.
      }
      return before;
    }
  }

  /** Joins the queue; empty if that is not possible this way. */
  Optional<Landed> retake(Session session, Call call, Request request) {
    if (call.isRetry() || session.doubts(request.id()) || request.hasLockDelay()) {
      return Optional.empty(); // An earlier call may have put it there.
    }
    Optional<Namespace> namespace = session.namespace();
    OptionalInt version = update(request.name(), Seen::tried).recentVersion();
    Pipeline pipeline = call.pipeline();
    // An ephemeral node must not belong to another ZooKeeper session.
    if (namespace.isEmpty() || version.isEmpty() || pipeline.session() != session.node().owner()) {
      return Optional.empty();
    }
    Answer<CreatedWith> joined =
        create(pipeline, call, request, version.getAsInt(), namespace.get());
    pipeline.awaitAnswers();
    update(request.name(), joined.isOk() ? seen -> Seen.NOTHING : Seen::inVain);
    return joined.value().flatMap(made -> landed(call, request, namespace.get(), made));
  }

  private Answer<CreatedWith> create(
      Pipeline pipeline, Call call, Request request, int version, Namespace namespace) {
    String queue = paths.queue(request.name());
    return pipeline.createWith(
        Op.create(
            RequestNode.wanted(queue, request),
            RequestData.of(request).encode(),
            call.rights(),
            CreateMode.EPHEMERAL_SEQUENTIAL),
        CreateMode.EPHEMERAL_SEQUENTIAL,
        List.of(
            Op.setData(queue, NOTHING, version),
            Op.check(paths.session(request.id().session()), Pipeline.ANY_VERSION),
            Op.check(paths.namespace(namespace.clockMicros()), Pipeline.ANY_VERSION)));
  }

  private Optional<Landed> landed(
      Call call, Request request, Namespace namespace, CreatedWith made) {
    RequestNode place = RequestNode.made(made.path().orElseThrow(), request);
    if (place.isPastEnd()) {
      Pipeline pipeline = call.pipeline();
      pipeline.delete(place.path(), Pipeline.ANY_VERSION);
      pipeline.awaitAnswers();
      return Optional.empty();
    }
    Stat queue = ((OpResult.SetDataResult) made.others().get(QUEUE)).getStat();
    Optional<QueueListing> listing =
        queue.getNumChildren() == 1
            ? Optional.of(new QueueListing(List.of(place)))
            : QueueListing.read(call, paths.queue(request.name()), queue.getNumChildren());
    return Optional.of(new Landed(RequestCreation.with(place, queue), namespace, queue, listing));
  }
}
