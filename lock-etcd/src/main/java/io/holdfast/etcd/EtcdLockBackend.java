package io.holdfast.etcd;

import io.etcd.jetcd.kv.TxnResponse;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.SessionId;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Capabilities.Event;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Opened;
import io.holdfast.spi.Released;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.Resumed;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.Standing;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Locks in etcd. A session is a lease, a request is a key on it, and a lock's queue is its keys in
 * the order in which etcd created them: the oldest holds. What lapses is taken away by etcd.
 */
final class EtcdLockBackend implements LockBackend, ResumableSessions {

  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Wakeup.PUSH,
          Order.FIFO,
          Expiry.BY_STORE,
          Set.of(LockMode.EXCLUSIVE),
          Set.of(Event.DELETION, Event.RESTART, Event.FAIL_OVER, Event.TOTAL_LOSS),
          Losses.NEVER);

  private final EtcdLink link;
  private final Watches watches;
  private final Namespaces namespaces;
  private final Sessions sessions;
  private final Queues queues;
  private final Revocations revocations;
  private final Views views;

  EtcdLockBackend(EtcdLink link, Keys keys, BackendOptions options) {
    this.link = link;
    this.watches = new Watches(link);
    this.namespaces = new Namespaces(keys, link.name());
    this.sessions = new Sessions(keys, namespaces, options.namespace(), link.name());
    this.queues =
        new Queues(
            keys,
            sessions,
            namespaces,
            watches,
            link.name(),
            options.maxWaiters().orElse(Queues.WAITERS_MAX));
    this.revocations = new Revocations(keys, namespaces, queues);
    this.views = new Views(keys, namespaces, watches);
  }

  /** Asks the cluster once, to see that it answers and lets us in. */
  EtcdLockBackend opened(Deadline deadline) {
    Optional<Namespace> unused = link.verb(deadline, namespaces::read);
    return this;
  }

  /** Returns the revision that a number in this namespace was made of. */
  long createRevision(long number, Deadline deadline) {
    return link.verb(deadline, namespaces::find)
        .map(namespace -> namespace.createRevision(number))
        .orElse(-1L);
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public String describe() {
    return link.name();
  }

  @Override
  public Opened open(SessionSpec spec, Deadline deadline) {
    return link.verb(deadline, steps -> sessions.open(steps, spec));
  }

  @Override
  public Renewed renew(SessionId session, Deadline deadline) {
    return link.verb(deadline, steps -> sessions.renew(steps, session));
  }

  @Override
  public Optional<Resumed> resume(SessionId session, Deadline deadline) {
    return link.verb(deadline, steps -> sessions.resume(steps, session));
  }

  @Override
  public Ended end(SessionId session, EndIf when, Deadline deadline) {
    return link.verb(deadline, steps -> sessions.end(steps, session, when));
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    return link.verb(deadline, steps -> queues.grab(steps, request));
  }

  @Override
  public Attempt overtake(Request request, Observed head, Deadline deadline) {
    return link.verb(deadline, steps -> queues.overtake(steps, request, head));
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    return link.verb(deadline, steps -> queues.release(steps, name, request));
  }

  @Override
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    return link.verb(deadline, steps -> views.look(steps, requests));
  }

  @Override
  public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
    return link.verb(deadline, steps -> revocations.revoke(steps, head, when));
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    TxnResponse unused = link.verb(deadline, steps -> sessions.acknowledge(steps, request));
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
    return link.verb(deadline, steps -> views.inspect(steps, name));
  }

  @Override
  public List<LockRecord> list(
      String prefix, Optional<LockName> after, int most, Deadline deadline) {
    return link.verb(deadline, steps -> views.list(steps, prefix, after, most));
  }

  /** Nothing is left to sweep: free locks have no keys, and etcd takes away what lapses. */
  @Override
  public int sweep(Deadline deadline) {
    return 0;
  }

  @Override
  public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    return watches.listen(session, listener);
  }

  @Override
  public void close() {
    watches.close();
    link.close();
  }
}
