package io.holdfast.etcd;

import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.etcd.connection.ClusterConnection;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.etcd.queue.Downgrades;
import io.holdfast.etcd.queue.HeldCondition;
import io.holdfast.etcd.queue.HolderStays;
import io.holdfast.etcd.queue.LockReader;
import io.holdfast.etcd.queue.Overtakes;
import io.holdfast.etcd.queue.Places;
import io.holdfast.etcd.queue.Queues;
import io.holdfast.etcd.queue.Releases;
import io.holdfast.etcd.queue.Revocations;
import io.holdfast.etcd.queue.Seats;
import io.holdfast.etcd.queue.Standings;
import io.holdfast.etcd.queue.Sweep;
import io.holdfast.etcd.queue.Watches;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.etcd.session.Sessions;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Locks in etcd. A session is a lease, a request is a key on it, and a lock's queue is its keys in
 * the order in which etcd created them: the oldest holds, or all shared ones before the oldest
 * exclusive one. etcd itself removes what has lapsed, and what has stayed for its time.
 */
final class EtcdLockBackend implements LockBackend, ResumableSessions {

  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Wakeup.PUSH,
          Order.FIFO,
          Expiry.BY_STORE,
          Set.of(LockMode.EXCLUSIVE, LockMode.SHARED),
          Set.of(Event.DELETION, Event.RESTART, Event.FAIL_OVER, Event.TOTAL_LOSS),
          Losses.NEVER,
          Set.of(Stays.values()));

  private final ClusterConnection cluster;
  private final Seats seats;
  private final Watches watches;
  private final Namespaces namespaces;
  private final Sessions sessions;
  private final Queues queues;
  private final Overtakes overtakes;
  private final Revocations revocations;
  private final Releases releases;
  private final HolderStays stays;
  private final Sweep sweep;
  private final Downgrades downgrades;
  private final Standings standings;
  private final LockReader reader;
  private final HeldCondition heldCondition;
  private final Keys keys;

  EtcdLockBackend(ClusterConnection cluster, Keys keys, BackendOptions options) {
    this.cluster = cluster;
    this.keys = keys;
    Places places = new Places(this::isKnown);
    this.seats = new Seats();
    this.watches = new Watches(cluster, places);
    this.namespaces = new Namespaces(keys, cluster.name());
    this.sessions =
        new Sessions(
            keys,
            namespaces,
            options.namespace(),
            cluster.name(),
            session -> {
              places.forget(session);
              seats.forget(session);
            });
    this.queues =
        new Queues(
            keys,
            sessions,
            namespaces,
            places,
            seats,
            watches,
            cluster.name(),
            options.maxWaiters().orElse(Queues.WAITERS_MAX));
    this.revocations = new Revocations(keys, namespaces);
    this.releases = new Releases(keys, places, seats, watches);
    this.stays = new HolderStays(keys, namespaces, places, seats, releases);
    this.overtakes = new Overtakes(keys, namespaces, queues, stays);
    this.sweep = new Sweep(keys, namespaces, stays, releases);
    this.downgrades = new Downgrades(keys, namespaces, places);
    this.standings = new Standings(keys, namespaces, places, watches);
    this.reader = new LockReader(keys, namespaces);
    this.heldCondition = new HeldCondition(keys, namespaces);
  }

  private boolean isKnown(SessionId session) {
    return sessions.isKnown(session);
  }

  /** Reads from the cluster once, to check that it answers and accepts the user. */
  EtcdLockBackend opened(Deadline deadline) {
    Optional<StoredNamespace> unused = cluster.verb(deadline, namespaces::read);
    return this;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public String describe() {
    return cluster.name();
  }

  @Override
  public Opened open(SessionSpec spec, Deadline deadline) {
    Opened opened = cluster.verb(deadline, calls -> sessions.open(calls, spec));
    seats.opened(spec.id());
    return opened;
  }

  @Override
  public Renewed renew(SessionId session, Deadline deadline) {
    return cluster.verb(deadline, calls -> sessions.renew(calls, session));
  }

  @Override
  public Optional<Resumed> resume(SessionId session, Deadline deadline) {
    return cluster.verb(deadline, calls -> sessions.resume(calls, session));
  }

  @Override
  public Ended end(SessionId session, EndIf when, Deadline deadline) {
    if (when == EndIf.CLOSED) {
      seats.forget(session); // Whether or not this is answered, it asks for nothing any more.
    }
    return cluster.verb(deadline, calls -> sessions.end(calls, session, when));
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    return cluster.verb(deadline, calls -> queues.grab(calls, request));
  }

  @Override
  public Attempt overtake(Request request, Observed head, Deadline deadline) {
    return cluster.verb(deadline, calls -> overtakes.overtake(calls, request, head));
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    return cluster.verb(deadline, calls -> releases.release(calls, name, request));
  }

  @Override
  public Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
    return cluster.verb(deadline, calls -> stays.releaseAfter(calls, key, stay));
  }

  @Override
  public OptionalLong downgrade(RequestKey key, Deadline deadline) {
    return cluster.verb(deadline, calls -> downgrades.downgrade(calls, key));
  }

  /** Returns compares that are all true as long as this number holds the lock in that mode. */
  Optional<List<Cmp>> isHeld(LockName name, LockMode mode, long number, Deadline deadline) {
    return cluster.verb(deadline, calls -> heldCondition.of(calls, name, mode, number));
  }

  @Override
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    return cluster.verb(deadline, calls -> standings.look(calls, requests));
  }

  @Override
  public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
    return cluster.verb(deadline, calls -> revocations.revoke(calls, head, when));
  }

  @Override
  public Revocation revokeIn(Observed head, Duration notice, Deadline deadline) {
    return cluster.verb(deadline, calls -> revocations.revokeIn(calls, head, notice));
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    TxnResponse unused = cluster.verb(deadline, calls -> sessions.acknowledge(calls, request));
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
    return cluster.verb(deadline, calls -> reader.inspect(calls, name));
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, int waiters, Deadline deadline) {
    return cluster.verb(deadline, calls -> reader.inspect(calls, name, waiters));
  }

  @Override
  public Optional<List<Waiter>> waitersBehind(
      LockName name, RequestId after, int limit, Deadline deadline) {
    return cluster.verb(deadline, calls -> reader.waitersBehind(calls, name, after, limit));
  }

  @Override
  public List<LockRecord> list(
      String prefix, Optional<LockName> after, int limit, Deadline deadline) {
    return cluster.verb(deadline, calls -> reader.list(calls, prefix, after, limit));
  }

  @Override
  public int sweep(Deadline deadline) {
    return cluster.verb(deadline, sweep::sweep);
  }

  @Override
  public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    return watches.listen(session, listener);
  }

  @Override
  public Watching watch(LockName name, HintListener hints) {
    return watches.lock(reader, keys, name, hints);
  }

  @Override
  public void close() {
    watches.close();
    cluster.close();
  }
}
