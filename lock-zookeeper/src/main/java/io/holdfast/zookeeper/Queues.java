package io.holdfast.zookeeper;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/**
 * Joining and overtaking. A lock's queue is a node whose children are the requests, in the order in
 * which ZooKeeper has counted them, and the first holds: so taking a free lock is to make a node,
 * and handing over is to delete one.
 */
final class Queues {

  /**
   * How many may wait unless the client was told otherwise. The names of some 20,000 requests fill
   * the greatest answer that a server gives.
   */
  static final int WAITERS_MAX = 4_000;

  private final Paths paths;
  private final Joins joins;
  private final Heads heads;
  private final Watches watches;
  private final String where;
  private final int maxWaiters;

  Queues(Paths paths, Joins joins, Heads heads, Watches watches, String where, int maxWaiters) {
    this.paths = paths;
    this.joins = joins;
    this.heads = heads;
    this.watches = watches;
    this.where = where;
    this.maxWaiters = maxWaiters;
  }

  Attempt grab(Session session, Steps steps, Request request) {
    request.requireExclusive(where);
    try {
      return attempt(session, steps, request);
    } catch (RuntimeException | Error e) {
      session.doubt(request.id());
      throw e;
    }
  }

  private Attempt attempt(Session session, Steps steps, Request request) {
    Joins.Joined joined = joins.join(steps, request);
    SessionRef ref = session.ref();
    boolean alive =
        joined.mine().stat().getEphemeralOwner() == ref.owner()
            && joined
                .session()
                .filter(node -> node.stat().getEphemeralOwner() == ref.owner())
                .isPresent()
            && joined.namespace().filter(present -> present.zxid() == ref.namespace()).isPresent();
    if (!alive || joined.places().isEmpty()) {
      Flight flight = steps.flight();
      flight.delete(joined.mine().path(), Flight.ANY_VERSION);
      flight.land();
      if (alive) {
        return new Attempt.QueueFull("more than %d nodes".formatted(Places.READABLE_MAX));
      }
      throw new SessionGone();
    }
    return joined(session, steps, request, joined, joined.places().get());
  }

  private Attempt joined(
      Session session, Steps steps, Request request, Joins.Joined joined, Places places) {
    Namespace namespace = joined.namespace().orElseThrow();
    Optional<Placed> standing = onlyFirst(steps, request.id(), joined.mine(), places);
    if (standing.isEmpty()) {
      return stand(session, steps, request);
    }
    Placed first = standing.get();
    List<Place> line = places.line();
    session.remember(Remembered.in(line, first));
    session.settle(request.id());
    int ahead = line.indexOf(first.place());
    if (ahead == 0) {
      return new Attempt.Granted(
          namespace.number(first.zxid()), first.since(), Contention.of(line.size() - 1));
    }
    boolean isFull = ahead > maxWaiters;
    if (request.ifHeld() == IfHeld.REFUSE || isFull) {
      StoreClock clock = new StoreClock();
      clock.see(joined.mine().stat());
      Attempt left =
          withdraw(session, steps, request, new Withdrawal(namespace, first, clock), line);
      return left instanceof Attempt.Refused && request.ifHeld() == IfHeld.QUEUE
          ? new Attempt.QueueFull("maxWaiters=" + maxWaiters)
          : left;
    }
    watches.waitsBehind(session, request.key(), line.get(ahead - 1));
    return new Attempt.Queued();
  }

  /**
   * Returns where a request stands, if it does. A create whose answer was lost may have been done:
   * then the request had its place already, and the one that was just made for it goes, or went
   * when the other's maker saw both.
   */
  private static Optional<Placed> onlyFirst(
      Steps steps, RequestId request, Created made, Places places) {
    Optional<Place> first = places.first(request);
    if (first.isEmpty()) {
      return Optional.empty();
    }
    Flight flight = steps.flight();
    places.of(request).stream()
        .filter(place -> !place.equals(first.get()))
        .forEach(other -> flight.delete(other.path(), Flight.ANY_VERSION));
    Optional<Answer<Node>> read =
        first.get().path().equals(made.path())
            ? Optional.empty()
            : Optional.of(flight.node(first.get().path()));
    flight.land();
    return read.isEmpty()
        ? Optional.of(Placed.of(first.get(), made.stat()))
        : read.get().value().map(node -> Placed.of(first.get(), node.stat()));
  }

  private record Withdrawal(Namespace namespace, Placed mine, StoreClock clock) {}

  /**
   * Leaves a queue that was joined only to see whether it is empty; unless nobody is ahead any
   * more: then it holds, and whoever left has handed it the lock.
   */
  private Attempt withdraw(
      Session session, Steps steps, Request request, Withdrawal withdrawal, List<Place> seen) {
    List<Place> line = seen;
    while (true) {
      Place first = line.get(0);
      Place mine = withdrawal.mine().place();
      if (first.equals(mine)) {
        return new Attempt.Granted(
            withdrawal.namespace().number(withdrawal.mine().zxid()),
            withdrawal.mine().since(),
            Contention.of(line.size() - 1));
      }
      Flight flight = steps.flight();
      Answer<List<OpResult>> read = flight.readAll(Head.reads(paths, first));
      Answer<List<OpResult>> left =
          flight.writeAll(
              List.of(
                  Op.check(first.path(), Flight.ANY_VERSION),
                  Op.delete(mine.path(), Flight.ANY_VERSION)));
      flight.land();
      if (left.isOk()) {
        session.forget(request.id());
        Head head = Head.of(first, read.value().orElseThrow()).orElseThrow();
        return refused(steps, request.name(), withdrawal.namespace(), head, withdrawal.clock());
      }
      line = read(steps, request.name()).line();
      if (!line.contains(mine)) {
        return stand(session, steps, request);
      }
    }
  }

  private Places read(Steps steps, LockName name) {
    String queue = paths.queue(name);
    Flight flight = steps.flight();
    Answer<Stat> size = flight.stat(queue);
    flight.land();
    return Places.read(steps, queue, Places.nodes(size))
        .orElseThrow(() -> Places.tooMany(steps, queue));
  }

  private Attempt refused(
      Steps steps, LockName name, Namespace namespace, Head head, StoreClock clock) {
    heads.refreshMark(steps, head, clock);
    return new Attempt.Refused(
        new LockRecord(
            name,
            namespace.number(head.stat().getCzxid()),
            Optional.of(head.holder(namespace, clock)),
            List.of()),
        head.dueIn(namespace, clock));
  }

  /** Returns how a request stands, without changing that. */
  private Attempt stand(Session session, Steps steps, Request request) {
    Heads.Seen seen = heads.see(steps, request.name());
    if (seen.namespace().isEmpty()) {
      throw new SessionGone();
    }
    Namespace namespace = seen.namespace().get();
    if (seen.line().isEmpty()) {
      return new Attempt.Refused(LockRecord.unknown(request.name()), Optional.empty());
    }
    Head head = seen.head().orElseThrow();
    if (head.place().request().equals(request.id())) {
      Placed mine = Placed.of(head.place(), head.stat());
      session.remember(Remembered.in(seen.line(), mine));
      return new Attempt.Granted(
          namespace.number(mine.zxid()), mine.since(), Contention.of(seen.line().size() - 1));
    }
    boolean waits = seen.line().stream().anyMatch(place -> place.request().equals(request.id()));
    return waits
        ? new Attempt.Queued()
        : refused(steps, request.name(), namespace, head, seen.clock());
  }

  Attempt overtake(Session session, Steps steps, Request request, Observed observed) {
    request.requireExclusive(where);
    Heads.Seen seen = heads.see(steps, request.name());
    Optional<Head> head =
        seen.head()
            .filter(first -> !first.place().request().equals(request.id()))
            .filter(
                first ->
                    first.observed(request.name(), seen.namespace().orElseThrow()).equals(observed))
            .filter(first -> mayGo(steps, first, seen));
    boolean waits = seen.line().stream().anyMatch(place -> place.request().equals(request.id()));
    if (head.isEmpty() || !remove(steps, head.get()) || waits) {
      return stand(session, steps, request);
    }
    // It may hold now, but not wait: another may have come in between.
    return grab(session, steps, request.with(IfHeld.REFUSE));
  }

  private boolean mayGo(Steps steps, Head head, Heads.Seen seen) {
    return heads.judge(steps, head, seen.namespace().orElseThrow(), seen.clock()) != Liveness.LIVE;
  }

  /** Unless its mark was made anew meanwhile. */
  private static boolean remove(Steps steps, Head head) {
    Flight flight = steps.flight();
    Answer<Boolean> removed = flight.delete(head.place().path(), head.stat().getVersion());
    flight.land();
    return removed.isOk();
  }
}
