package io.holdfast.zookeeper.queue;

import io.holdfast.record.RequestId;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.connection.SessionOverException;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.RequestCreation;
import io.holdfast.zookeeper.layout.RequestData;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.layout.SessionNode;
import io.holdfast.zookeeper.session.RememberedPosition;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.StayList;
import io.holdfast.zookeeper.session.StoreClock;
import java.util.List;
import java.util.Optional;

/**
 * The verb {@code grab}. A lock's queue is a node whose children are the requests, in the order of
 * their sequence numbers. The first one holds, or all shared ones before the first exclusive one.
 * So a free lock is taken by creating a node, and handed over by deleting one.
 */
public final class Grabs {

  /**
   * The default limit of waiters. The names of some 20,000 requests fill the greatest answer that a
   * server gives.
   */
  public static final int WAITERS_MAX = 4_000;

  private final Retakes retakes;
  private final Joins joins;
  private final QueueReader reader;
  private final PredecessorWatches watches;
  private final StayList stays;
  private final int maxWaiters;

  public Grabs(
      Retakes retakes,
      Joins joins,
      QueueReader reader,
      PredecessorWatches watches,
      StayList stays,
      int maxWaiters) {
    this.stays = stays;
    this.retakes = retakes;
    this.joins = joins;
    this.reader = reader;
    this.watches = watches;
    this.maxWaiters = maxWaiters;
  }

  public Attempt grab(Session session, Call call, Request request) {
    try {
      return joinQueue(session, call, request);
    } catch (RuntimeException | Error e) {
      session.doubt(request.id());
      throw e;
    }
  }

  private Attempt joinQueue(Session session, Call call, Request request) {
    Landed landed =
        retakes.retake(session, call, request).orElseGet(() -> join(session, call, request));
    if (landed.listing().isEmpty()) {
      leave(call, request, landed.made().place(), isFirstTry(session, call, request.id()));
      return new Attempt.QueueFull("more than %s nodes".formatted(QueueListing.READABLE_MAX));
    }
    return outcome(session, call, request, landed, landed.listing().get());
  }

  private Landed join(Session session, Call call, Request request) {
    Joins.Joined joined = joins.join(call, request);
    SessionNode own = session.node();
    // A node must not count that a late copy made under another ZooKeeper session, for a session
    // that is over, or in another namespace.
    boolean alive =
        (request.hasLockDelay() || joined.stat().getEphemeralOwner() == own.owner())
            && joined
                .session()
                .filter(node -> node.stat().getEphemeralOwner() == own.owner())
                .isPresent()
            && joined.namespace().filter(present -> present.zxid() == own.namespace()).isPresent();
    if (!alive) {
      List<RequestNode> mine = List.of(joined.place());
      boolean isOnly =
          joined.listing().filter(all -> all.of(request.id()).equals(mine)).isPresent();
      leave(call, request, joined.place(), isOnly);
      throw new SessionOverException();
    }
    return new Landed(
        RequestCreation.of(joined.place(), joined.stat()),
        joined.namespace().orElseThrow(),
        joined.stat(),
        joined.listing());
  }

  /** Nobody has asked for the request before, so it has no node but the one that was just made. */
  private static boolean isFirstTry(Session session, Call call, RequestId request) {
    return session.namespace().isPresent()
        && session.place(request).isEmpty()
        && !session.doubts(request)
        && !call.isRetry();
  }

  /**
   * Takes the node away that was just made.
   *
   * @param isOnly whether it certainly was the only one of its request. Another one, of an earlier
   *     grab, may outlive its session: then it stays listed, for the sweep
   */
  private void leave(Call call, Request request, RequestNode place, boolean isOnly) {
    Pipeline pipeline = call.pipeline();
    pipeline.delete(place.path(), Pipeline.ANY_VERSION);
    pipeline.awaitAnswers();
    if (isOnly) {
      stays.removeDelay(call, request);
    }
  }

  private Attempt outcome(
      Session session, Call call, Request request, Landed landed, QueueListing places) {
    Namespace namespace = landed.namespace();
    RequestCreation made = landed.made();
    if (places.isOnly(made.place())) {
      session.remember(RememberedPosition.Holding.asAsked(made));
      settle(session, call, request);
      return new Attempt.Granted(
          namespace.number(made.zxid()), made.since(), Contention.NOBODY_WAITS);
    }
    Optional<RequestCreation> standing = onlyFirst(call, request.id(), made, places);
    if (standing.isEmpty()) {
      return reader.stands(session, call, request);
    }
    settle(session, call, request);
    StoreClock clock = new StoreClock();
    clock.see(landed.written());
    return new Arrival(
            reader,
            watches,
            stays,
            maxWaiters,
            session,
            call,
            request,
            namespace,
            standing.get(),
            clock)
        .outcome(QueueOrder.of(places.inOrder()));
  }

  /**
   * Its release need not look for a second node, unless an earlier try of this call has sent a
   * create, too: the servers may have been slower with that than with all of this one.
   */
  private static void settle(Session session, Call call, Request request) {
    if (call.isRetry()) {
      session.doubt(request.id());
    } else {
      session.settle(request.id());
    }
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
        : read.get().value().flatMap(node -> ofOwner(first.get(), node));
  }

  /** Empty if the lock was given back and stays taken: that grants nothing to a late copy. */
  private static Optional<RequestCreation> ofOwner(RequestNode place, Node node) {
    return RequestData.parse(node.data()).isTombstone()
        ? Optional.empty()
        : Optional.of(RequestCreation.of(place, node.stat()));
  }
}
