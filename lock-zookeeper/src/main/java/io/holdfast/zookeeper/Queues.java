package io.holdfast.zookeeper;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * Joining and overtaking. A lock's queue is a node whose children are the requests, in the order in
 * which ZooKeeper has counted them, and the first holds: so taking a free lock is to make a node,
 * and handing over is to delete one.
 */
final class Queues {

  /** Empty queues are removed by the servers, at most once a minute: so two would do. */
  private static final int TRIES = 5;

  private static final byte[] NOTHING = {};

  private final Paths paths;
  private final Namespaces namespaces;
  private final Heads heads;
  private final Watches watches;
  private final String where;

  Queues(Paths paths, Namespaces namespaces, Heads heads, Watches watches, String where) {
    this.paths = paths;
    this.namespaces = namespaces;
    this.heads = heads;
    this.watches = watches;
    this.where = where;
  }

  /** What a request for a place in a queue has found. */
  private record Joined(
      Created mine, List<String> names, Optional<Namespace> namespace, Optional<Node> session) {}

  Attempt grab(Session session, Steps steps, Request request) {
    request.requireExclusive(where);
    Joined joined = join(steps, request);
    SessionRef ref = session.ref();
    boolean alive =
        joined.mine().stat().getEphemeralOwner() == ref.owner()
            && joined
                .session()
                .filter(node -> node.stat().getEphemeralOwner() == ref.owner())
                .isPresent()
            && joined.namespace().filter(present -> present.zxid() == ref.namespace()).isPresent();
    if (!alive) {
      Flight flight = steps.flight();
      flight.delete(joined.mine().path(), Flight.ANY_VERSION);
      flight.land();
      throw new SessionGone();
    }
    return joined(session, steps, request, joined);
  }

  private Joined join(Steps steps, Request request) {
    String queue = paths.queue(request.name());
    for (int tries = 1; tries <= TRIES; tries++) {
      Flight flight = steps.flight();
      Optional<Answer<Created>> container =
          tries == 1
              ? Optional.empty()
              : Optional.of(flight.create(queue, NOTHING, CreateMode.CONTAINER));
      Answer<Created> mine =
          flight.create(
              Place.wanted(queue, request), Place.encode(request), CreateMode.EPHEMERAL_SEQUENTIAL);
      Answer<List<String>> names = flight.children(queue);
      Answer<Node> namespace = flight.node(paths.namespace());
      Answer<Node> session = flight.node(paths.session(request.id().session()));
      flight.land();
      if (mine.value().isPresent()) {
        return new Joined(
            mine.value().get(),
            names.value().orElse(List.of()),
            namespaces.of(namespace.value()),
            session.value());
      }
      if (container.filter(answer -> answer.code() == Code.NONODE).isPresent()) {
        Namespaces.makeAbove(steps, queue);
      }
    }
    throw new BackendFailure(
        Effect.NONE,
        "The queue of lock %s at %s was removed again and again.".formatted(request.name(), where),
        null);
  }

  private Attempt joined(Session session, Steps steps, Request request, Joined joined) {
    String queue = paths.queue(request.name());
    Namespace namespace = joined.namespace().orElseThrow();
    List<Place> mine = Place.of(request.id(), queue, joined.names());
    if (mine.isEmpty()) {
      return stand(session, steps, request);
    }
    Placed first = onlyFirst(steps, mine, joined.mine());
    session.remember(first);
    List<Place> line = Place.queue(queue, joined.names());
    int ahead = line.indexOf(first.place());
    if (ahead == 0) {
      return new Attempt.Granted(namespace.number(first.zxid()), first.since());
    }
    if (request.ifHeld() == IfHeld.REFUSE) {
      StoreClock clock = new StoreClock();
      clock.see(joined.mine().stat());
      return withdraw(session, steps, request, new Withdrawal(namespace, first, clock), line);
    }
    watches.waitsBehind(session, request.key(), line.get(ahead - 1));
    return new Attempt.Queued();
  }

  /**
   * Returns where a request stands. A create whose answer was lost may have been done: then the
   * request had its place already, and the one that was just made for it goes.
   */
  private static Placed onlyFirst(Steps steps, List<Place> mine, Created created) {
    Place first = mine.get(0);
    if (mine.size() == 1) {
      return Placed.of(first, created.stat());
    }
    Flight flight = steps.flight();
    mine.stream().skip(1).forEach(later -> flight.delete(later.path(), Flight.ANY_VERSION));
    Answer<Node> node = flight.node(first.path());
    flight.land();
    return node.value().map(found -> Placed.of(first, found.stat())).orElseThrow(SessionGone::new);
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
            withdrawal.namespace().number(withdrawal.mine().zxid()), withdrawal.mine().since());
      }
      Flight flight = steps.flight();
      Answer<List<OpResult>> read = flight.readAll(Head.reads(paths, first));
      Answer<List<OpResult>> left =
          flight.writeAll(
              List.of(
                  Op.check(first.path(), Flight.ANY_VERSION),
                  Op.delete(mine.path(), Flight.ANY_VERSION)));
      Answer<List<String>> names = flight.children(paths.queue(request.name()));
      flight.land();
      if (left.isOk()) {
        session.forget(request.id());
        Head head = Head.of(first, read.value().orElseThrow()).orElseThrow();
        return refused(steps, request.name(), withdrawal.namespace(), head, withdrawal.clock());
      }
      line = Place.queue(paths.queue(request.name()), names.value().orElse(List.of()));
      if (!line.contains(mine)) {
        return stand(session, steps, request);
      }
    }
  }

  private Attempt refused(
      Steps steps, LockName name, Namespace namespace, Head head, StoreClock clock) {
    heads.refreshMark(steps, head, clock);
    return new Attempt.Refused(
        new LockRecord(
            name,
            namespace.number(head.stat().getCzxid()),
            Optional.of(head.holder(namespace, clock)),
            List.of()));
  }

  /** Returns how a request stands, without changing that. */
  private Attempt stand(Session session, Steps steps, Request request) {
    Heads.Seen seen = heads.see(steps, request.name());
    if (seen.namespace().isEmpty()) {
      throw new SessionGone();
    }
    Namespace namespace = seen.namespace().get();
    if (seen.line().isEmpty()) {
      return new Attempt.Refused(LockRecord.unknown(request.name()));
    }
    Head head = seen.head().orElseThrow();
    if (head.place().request().equals(request.id())) {
      Placed mine = Placed.of(head.place(), head.stat());
      session.remember(mine);
      return new Attempt.Granted(namespace.number(mine.zxid()), mine.since());
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
