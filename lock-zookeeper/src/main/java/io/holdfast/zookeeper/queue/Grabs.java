package io.holdfast.zookeeper.queue;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.connection.SessionOverException;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestCreation;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.layout.SessionNode;
import io.holdfast.zookeeper.session.RememberedPosition;
import io.holdfast.zookeeper.session.Session;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/**
 * The verbs {@code grab} and {@code overtake}. A lock's queue is a node whose children are the
 * requests, in the order of their sequence numbers. The first one holds. So a free lock is taken by
 * creating a node, and handed over by deleting one.
 */
public final class Grabs {

  /**
   * The default limit of waiters. The names of some 20,000 requests fill the greatest answer that a
   * server gives.
   */
  public static final int WAITERS_MAX = 4_000;

  private final Paths paths;
  private final Joins joins;
  private final HeadReader heads;
  private final PredecessorWatches watches;
  private final String where;
  private final int maxWaiters;

  public Grabs(
      Paths paths,
      Joins joins,
      HeadReader heads,
      PredecessorWatches watches,
      String where,
      int maxWaiters) {
    this.paths = paths;
    this.joins = joins;
    this.heads = heads;
    this.watches = watches;
    this.where = where;
    this.maxWaiters = maxWaiters;
  }

  public Attempt grab(Session session, Call call, Request request) {
    request.requireExclusive(where);
    try {
      return joinQueue(session, call, request);
    } catch (RuntimeException | Error e) {
      session.doubt(request.id());
      throw e;
    }
  }

  private Attempt joinQueue(Session session, Call call, Request request) {
    Joins.Joined joined = joins.join(call, request);
    SessionNode own = session.node();
    // A node must not count that a late copy made under another ZooKeeper session, for a session
    // that is over, or in another namespace.
    boolean alive =
        joined.stat().getEphemeralOwner() == own.owner()
            && joined
                .session()
                .filter(node -> node.stat().getEphemeralOwner() == own.owner())
                .isPresent()
            && joined.namespace().filter(present -> present.zxid() == own.namespace()).isPresent();
    if (!alive || joined.listing().isEmpty()) {
      Pipeline pipeline = call.pipeline();
      pipeline.delete(joined.place().path(), Pipeline.ANY_VERSION);
      pipeline.awaitAnswers();
      if (alive) {
        return new Attempt.QueueFull("more than %d nodes".formatted(QueueListing.READABLE_MAX));
      }
      throw new SessionOverException();
    }
    return outcome(session, call, request, joined, joined.listing().get());
  }

  private Attempt outcome(
      Session session, Call call, Request request, Joins.Joined joined, QueueListing places) {
    Namespace namespace = joined.namespace().orElseThrow();
    RequestCreation mine = RequestCreation.of(joined.place(), joined.stat());
    if (places.isOnly(mine.place())) {
      session.remember(RememberedPosition.holding(mine));
      session.settle(request.id());
      return new Attempt.Granted(
          namespace.number(mine.zxid()), mine.since(), Contention.NOBODY_WAITS);
    }
    Optional<RequestCreation> standing = onlyFirst(call, request.id(), mine, places);
    if (standing.isEmpty()) {
      return readOutcome(session, call, request);
    }
    RequestCreation first = standing.get();
    List<RequestNode> queue = places.inOrder();
    session.remember(RememberedPosition.in(queue, first));
    session.settle(request.id());
    int ahead = queue.indexOf(first.place());
    if (ahead == 0) {
      return new Attempt.Granted(
          namespace.number(first.zxid()), first.since(), Contention.of(queue.size() - 1));
    }
    boolean isFull = ahead > maxWaiters;
    if (request.ifHeld() == IfHeld.REFUSE || isFull) {
      StoreClock clock = new StoreClock();
      clock.see(joined.stat());
      Attempt left =
          withdraw(session, call, request, new Withdrawal(namespace, first, clock), queue);
      return left instanceof Attempt.Refused && request.ifHeld() == IfHeld.QUEUE
          ? new Attempt.QueueFull("maxWaiters=" + maxWaiters)
          : left;
    }
    watches.waitsBehind(session, request.key(), queue.get(ahead - 1));
    return new Attempt.Queued();
  }

  /**
   * Returns where a request stands, if it does. A create whose answer was lost may have been done:
   * then the request had its place already, and the one that was just made for it goes, or went
   * when the other's maker saw both.
   */
  private static Optional<RequestCreation> onlyFirst(
      Call call, RequestId request, RequestCreation made, QueueListing places) {
    Optional<RequestNode> first = places.first(request);
    if (first.isEmpty()) {
      return Optional.empty();
    }
    Pipeline pipeline = call.pipeline();
    places.of(request).stream()
        .filter(place -> !place.equals(first.get()))
        .forEach(other -> pipeline.delete(other.path(), Pipeline.ANY_VERSION));
    Optional<Answer<Node>> read =
        first.get().equals(made.place())
            ? Optional.empty()
            : Optional.of(pipeline.node(first.get().path()));
    pipeline.awaitAnswers();
    return read.isEmpty()
        ? Optional.of(made)
        : read.get().value().map(node -> RequestCreation.of(first.get(), node.stat()));
  }

  private record Withdrawal(Namespace namespace, RequestCreation mine, StoreClock clock) {}

  /**
   * Leaves a queue that the request joined only to see whether it is empty. If all requests ahead
   * have left meanwhile, the request holds the lock, and stays.
   */
  private Attempt withdraw(
      Session session, Call call, Request request, Withdrawal withdrawal, List<RequestNode> seen) {
    List<RequestNode> queue = seen;
    while (true) {
      RequestNode first = queue.get(0);
      RequestNode mine = withdrawal.mine().place();
      if (first.equals(mine)) {
        return new Attempt.Granted(
            withdrawal.namespace().number(withdrawal.mine().zxid()),
            withdrawal.mine().since(),
            Contention.of(queue.size() - 1));
      }
      Pipeline pipeline = call.pipeline();
      Answer<List<OpResult>> read = pipeline.readAll(Head.reads(paths, first));
      Answer<List<OpResult>> left =
          pipeline.writeAll(
              List.of(
                  Op.check(first.path(), Pipeline.ANY_VERSION),
                  Op.delete(mine.path(), Pipeline.ANY_VERSION)));
      pipeline.awaitAnswers();
      if (left.isOk()) {
        session.forget(request.id());
        Head head = Head.of(first, read.value().orElseThrow()).orElseThrow();
        return refused(call, request.name(), withdrawal.namespace(), head, withdrawal.clock());
      }
      queue = read(call, request.name()).inOrder();
      if (!queue.contains(mine)) {
        return readOutcome(session, call, request);
      }
    }
  }

  private QueueListing read(Call call, LockName name) {
    String queue = paths.queue(name);
    Pipeline pipeline = call.pipeline();
    Answer<Stat> size = pipeline.stat(queue);
    pipeline.awaitAnswers();
    return QueueListing.read(call, queue, QueueListing.nodes(size))
        .orElseThrow(() -> QueueListing.tooMany(call, queue));
  }

  private Attempt refused(
      Call call, LockName name, Namespace namespace, Head head, StoreClock clock) {
    heads.refreshMark(call, head, clock);
    return new Attempt.Refused(
        new LockRecord(
            name,
            namespace.number(head.stat().getCzxid()),
            Optional.of(head.holder(namespace, clock)),
            List.of()),
        head.dueIn(namespace, clock));
  }

  /** Returns how a request stands, without changing that. */
  private Attempt readOutcome(Session session, Call call, Request request) {
    HeadReader.View seen = heads.read(call, request.name());
    if (seen.namespace().isEmpty()) {
      throw new SessionOverException();
    }
    Namespace namespace = seen.namespace().get();
    if (seen.queue().isEmpty()) {
      return new Attempt.Refused(LockRecord.unknown(request.name()), Optional.empty());
    }
    Head head = seen.head().orElseThrow();
    if (head.place().request().equals(request.id())) {
      RequestCreation mine = RequestCreation.of(head.place(), head.stat());
      session.remember(RememberedPosition.in(seen.queue(), mine));
      return new Attempt.Granted(
          namespace.number(mine.zxid()), mine.since(), Contention.of(seen.queue().size() - 1));
    }
    boolean waits = seen.queue().stream().anyMatch(place -> place.request().equals(request.id()));
    return waits
        ? new Attempt.Queued()
        : refused(call, request.name(), namespace, head, seen.clock());
  }

  public Attempt overtake(Session session, Call call, Request request, Observed observed) {
    request.requireExclusive(where);
    HeadReader.View seen = heads.read(call, request.name());
    Optional<Head> head =
        seen.head()
            .filter(first -> !first.place().request().equals(request.id()))
            .filter(
                first ->
                    first.observed(request.name(), seen.namespace().orElseThrow()).equals(observed))
            .filter(first -> mayGo(call, first, seen));
    boolean waits = seen.queue().stream().anyMatch(place -> place.request().equals(request.id()));
    if (head.isEmpty() || !remove(call, head.get()) || waits) {
      return readOutcome(session, call, request);
    }
    // It may hold now, but must not wait: another request may have joined in between.
    return grab(session, call, request.with(IfHeld.REFUSE));
  }

  private boolean mayGo(Call call, Head head, HeadReader.View seen) {
    return heads.judge(call, head, seen.namespace().orElseThrow(), seen.clock()) != Liveness.LIVE;
  }

  /** Removes the head, unless its mark was renewed meanwhile. */
  private static boolean remove(Call call, Head head) {
    Pipeline pipeline = call.pipeline();
    Answer<Boolean> removed = pipeline.delete(head.place().path(), head.stat().getVersion());
    pipeline.awaitAnswers();
    return removed.isOk();
  }
}
