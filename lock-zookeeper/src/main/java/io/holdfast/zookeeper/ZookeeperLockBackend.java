package io.holdfast.zookeeper;

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
import java.util.function.Function;

/**
 * Locks in ZooKeeper. A session is a ZooKeeper session, a request is a node that goes with it, and
 * a lock's queue is the children of a node in the order in which ZooKeeper has counted them: the
 * first holds. What lapses is taken away by ZooKeeper.
 */
final class ZookeeperLockBackend implements LockBackend, ResumableSessions {

  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Wakeup.PUSH,
          Order.FIFO,
          Expiry.BY_STORE,
          Set.of(LockMode.EXCLUSIVE),
          Set.of(Event.DELETION, Event.RESTART, Event.FAIL_OVER, Event.TOTAL_LOSS),
          Losses.NEVER);

  private final Link link;
  private final Namespaces namespaces;
  private final Watches watches = new Watches();
  private final Sessions sessions;
  private final Queues queues;
  private final Revocations revocations;
  private final Releases releases;
  private final Looks looks;
  private final Views views;
  private final Heads heads;

  ZookeeperLockBackend(Link link, Paths paths, BackendOptions options) {
    this.link = link;
    this.namespaces = new Namespaces(paths, link.name());
    this.heads = new Heads(paths, namespaces);
    this.sessions = new Sessions(link, paths, namespaces, options.namespace());
    this.queues =
        new Queues(
            paths,
            new Joins(paths, namespaces, link.name()),
            heads,
            watches,
            link.name(),
            options.maxWaiters().orElse(Queues.WAITERS_MAX));
    this.revocations = new Revocations(paths, heads);
    this.releases = new Releases(paths, watches, link.name());
    this.looks = new Looks(paths, namespaces, heads, watches);
    this.views = new Views(paths, heads);
  }

  /** Asks the ensemble once, to see that it answers and lets us in. */
  ZookeeperLockBackend opened(Deadline deadline) {
    Optional<Namespace> unused = link.verb(deadline, namespaces::read);
    return this;
  }

  /** Returns a lock's head, if the grant of that number is in force. */
  Optional<Head> head(LockName name, long number, Deadline deadline) {
    Heads.Seen seen = link.verb(deadline, steps -> heads.see(steps, name));
    return seen.head()
        .filter(head -> seen.namespace().orElseThrow().number(head.stat().getCzxid()) == number);
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
        (session, steps) -> queues.grab(session, steps, request),
        new Attempt.SessionOver());
  }

  @Override
  public Attempt overtake(Request request, Observed head, Deadline deadline) {
    return sessions.inNameOf(
        request.id().session(),
        deadline,
        (session, steps) -> queues.overtake(session, steps, request, head),
        new Attempt.SessionOver());
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    Optional<Session> session = sessions.known(request.session());
    Released released =
        asOrFor(
            request.session(), deadline, steps -> releases.release(steps, name, request, session));
    session.ifPresent(known -> known.forget(request));
    return released;
  }

  @Override
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    return asOrFor(
        session, deadline, steps -> looks.look(steps, session, sessions.known(session), requests));
  }

  /**
   * Over the session's own line, behind all that it has asked for before; or if it is over, not.
   */
  private <T> T asOrFor(SessionId id, Deadline deadline, Function<Steps, T> body) {
    Optional<Session> session = sessions.known(id);
    if (session.isPresent()) {
      try {
        return link.verb(session.get().line(), deadline, body);
      } catch (SessionGone gone) {
        sessions.over(session.get());
      }
    }
    return link.verb(deadline, body);
  }

  @Override
  public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
    return link.verb(deadline, steps -> revocations.revoke(steps, head, when));
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    sessions.acknowledge(request, deadline);
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

  /** Nothing is left to sweep: ZooKeeper takes away what lapses, and queues that are empty. */
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
    sessions.close();
    link.lines().close();
  }
}
