package io.holdfast.zookeeper;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Capabilities.Event;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.Watching;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.spi.answer.Standing;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Ensemble;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Namespaces;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.queue.Downgrades;
import io.holdfast.zookeeper.queue.Grabs;
import io.holdfast.zookeeper.queue.Inspections;
import io.holdfast.zookeeper.queue.Joins;
import io.holdfast.zookeeper.queue.LockLists;
import io.holdfast.zookeeper.queue.Overtakes;
import io.holdfast.zookeeper.queue.PredecessorWatches;
import io.holdfast.zookeeper.queue.QueueReader;
import io.holdfast.zookeeper.queue.Releases;
import io.holdfast.zookeeper.queue.Removals;
import io.holdfast.zookeeper.queue.Retakes;
import io.holdfast.zookeeper.queue.Revocations;
import io.holdfast.zookeeper.queue.Standings;
import io.holdfast.zookeeper.queue.Sweeps;
import io.holdfast.zookeeper.queue.Tombstones;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.Sessions;
import io.holdfast.zookeeper.session.StayList;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.apache.zookeeper.Op;

/**
 * Locks in ZooKeeper. A session is a ZooKeeper session. A request is an ephemeral node of that
 * session, or a persistent one if it may outlive it. A lock's queue is the children of a node, in
 * the order of their sequence numbers; the first one holds, or all shared ones before the first
 * exclusive one. ZooKeeper itself removes the ephemeral nodes of lapsed sessions.
 */
final class ZookeeperLockBackend implements LockBackend, ResumableSessions {

  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Wakeup.PUSH,
          Order.FIFO,
          Expiry.BY_STORE,
          Set.of(LockMode.EXCLUSIVE, LockMode.SHARED),
          Set.of(Event.DELETION, Event.RESTART, Event.FAIL_OVER, Event.TOTAL_LOSS),
          Losses.NEVER,
          Set.of(Stays.values()));

  private final Ensemble ensemble;
  private final Namespaces namespaces;
  private final PredecessorWatches watches;
  private final Sessions sessions;
  private final Grabs grabs;
  private final Overtakes overtakes;
  private final Revocations revocations;
  private final Releases releases;
  private final Tombstones tombstones;
  private final Downgrades downgrades;
  private final Standings looks;
  private final Inspections views;
  private final LockLists lists;
  private final Sweeps sweeps;
  private final QueueReader reader;

  ZookeeperLockBackend(Ensemble ensemble, Paths paths, BackendOptions options) {
    this.ensemble = ensemble;
    this.namespaces = new Namespaces(paths, ensemble.name());
    this.watches = new PredecessorWatches(paths);
    this.reader = new QueueReader(paths, namespaces);
    StayList stays = new StayList(paths);
    Removals removals = new Removals(stays);
    Retakes retakes = new Retakes(paths);
    this.sessions = new Sessions(ensemble, paths, namespaces, options.namespace());
    this.grabs =
        new Grabs(
            retakes,
            new Joins(paths, namespaces, stays, ensemble.name()),
            reader,
            watches,
            stays,
            options.maxWaiters().orElse(Grabs.WAITERS_MAX));
    this.overtakes = new Overtakes(reader, removals, grabs);
    this.revocations = new Revocations(paths, reader, removals, ensemble.name());
    this.releases = new Releases(paths, retakes, reader, stays, ensemble.name());
    this.tombstones = new Tombstones(reader, stays);
    this.downgrades = new Downgrades(reader);
    this.looks = new Standings(paths, namespaces, reader, watches, stays);
    this.views = new Inspections(paths, reader);
    this.lists = new LockLists(paths, namespaces, reader);
    this.sweeps = new Sweeps(paths, reader, stays, removals);
  }

  /** Reads the namespace once, to check that the ensemble answers and accepts the login. */
  ZookeeperLockBackend opened(Deadline deadline) {
    Optional<Namespace> unused = ensemble.verb(deadline, namespaces::read);
    return this;
  }

  /** Returns the check that succeeds as long as this number holds the lock in that mode. */
  Optional<Op> isHeld(LockName name, LockMode mode, long number, Deadline deadline) {
    return ensemble.verb(deadline, call -> reader.isHeld(call, name, mode, number));
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public String describe() {
    return ensemble.name();
  }

  @Override
  public Opened open(SessionSpec spec, Deadline deadline) {
    return sessions.open(spec, deadline);
  }

  @Override
  public Renewed renew(SessionId session, Deadline deadline) {
    return sessions.renew(session, deadline);
  }

  @Override
  public Optional<Resumed> resume(SessionId session, Deadline deadline) {
    return sessions.resume(session, deadline);
  }

  @Override
  public Ended end(SessionId session, EndIf when, Deadline deadline) {
    return sessions.end(session, when, deadline);
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    return sessions.inNameOf(
        request.id().session(),
        deadline,
        (session, call) -> grabs.grab(session, call, request),
        new Attempt.SessionOver());
  }

  @Override
  public Attempt overtake(Request request, Observed head, Deadline deadline) {
    return sessions.inNameOf(
        request.id().session(),
        deadline,
        (session, call) -> overtakes.overtake(session, call, request, head),
        new Attempt.SessionOver());
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    Optional<Session> session = sessions.known(request.session());
    Released released =
        asOrFor(
            request.session(), deadline, call -> releases.release(call, name, request, session));
    looks.left(request, session);
    return released;
  }

  @Override
  public Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
    SessionId session = key.request().session();
    Optional<Released> stays =
        asOrFor(
            session,
            deadline,
            call -> tombstones.releaseAfter(call, key, stay, sessions.known(session)));
    if (stays.isEmpty()) {
      return release(key.name(), key.request(), deadline);
    }
    looks.left(key.request(), sessions.known(session));
    return stays.get();
  }

  @Override
  public OptionalLong downgrade(RequestKey key, Deadline deadline) {
    SessionId session = key.request().session();
    return asOrFor(
        session, deadline, call -> downgrades.downgrade(call, key, sessions.known(session)));
  }

  @Override
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    return asOrFor(
        session, deadline, call -> looks.look(call, session, sessions.known(session), requests));
  }

  /**
   * Runs a verb over the session's own connection, so that it comes after everything sent there
   * before. If the session is over, the verb runs over the connection without a session.
   */
  private <T> T asOrFor(SessionId id, Deadline deadline, Function<Call, T> body) {
    return sessions
        .known(id)
        .map(
            session ->
                ensemble.verb(session.connection(), () -> sessions.over(session), deadline, body))
        .orElseGet(() -> ensemble.verb(deadline, body));
  }

  @Override
  public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
    return ensemble.verb(deadline, call -> revocations.revoke(call, head, when));
  }

  @Override
  public Revocation revokeIn(Observed head, Duration notice, Deadline deadline) {
    return ensemble.verb(deadline, call -> revocations.revokeIn(call, head, notice));
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    sessions.acknowledge(request, deadline);
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
    return inspect(name, Integer.MAX_VALUE, deadline);
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, int waiters, Deadline deadline) {
    return ensemble.verb(deadline, call -> views.inspect(call, name, waiters));
  }

  @Override
  public Optional<List<Waiter>> waitersBehind(
      LockName name, RequestId after, int limit, Deadline deadline) {
    return ensemble.verb(deadline, call -> views.waitersBehind(call, name, after, limit));
  }

  @Override
  public List<LockRecord> list(
      String prefix, Optional<LockName> after, int limit, Deadline deadline) {
    return ensemble.verb(deadline, call -> lists.list(call, prefix, after, limit));
  }

  @Override
  public int sweep(Deadline deadline) {
    return ensemble.verb(deadline, sweeps::sweep);
  }

  @Override
  public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    return watches.listen(session, listener);
  }

  @Override
  public Watching watch(LockName name, HintListener hints) {
    return views.watch(ensemble, name, hints);
  }

  @Override
  public void close() {
    watches.close();
    sessions.close();
    ensemble.connections().close();
  }
}
