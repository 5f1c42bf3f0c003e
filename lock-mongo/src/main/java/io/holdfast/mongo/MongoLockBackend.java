package io.holdfast.mongo;

import io.holdfast.BadRequestException;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.SessionId;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
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
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.Standing;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Locks in MongoDB. A lock's queue lies in the lock's document, the only point of order: joining,
 * leaving and handing over are one change of one document each, and a client may die after any.
 */
final class MongoLockBackend implements LockBackend {

  private final Connections connections;
  private final MongoErrors errors;
  private final MongoSettings settings;
  private final Capabilities capabilities;
  private final Hints hints;
  private final Sessions sessions;
  private final Queues queues;
  private final Revocations revocations;
  private final Views views;
  private final Sweep sweep;
  private volatile boolean closed;

  private MongoLockBackend(
      Connections connections, MongoErrors errors, MongoSettings settings, BackendOptions options) {
    this.connections = connections;
    this.errors = errors;
    this.settings = settings;
    this.capabilities =
        new Capabilities(
            connections.verbs().hasChangeStreams() ? Wakeup.PUSH : Wakeup.POLL,
            Order.FIFO,
            Expiry.BY_OTHERS,
            Set.of(LockMode.EXCLUSIVE),
            Set.of(Event.DELETION, Event.RESTART, Event.TOTAL_LOSS),
            Losses.NEVER);
    this.hints = new Hints(connections.verbs(), errors);
    Namespace namespace = new Namespace(options.namespace());
    OwnSessions own = new OwnSessions();
    StoreClock clock = new StoreClock(System::nanoTime);
    FirstGrants firstGrants = new FirstGrants(namespace, own, clock);
    this.sessions = new Sessions(namespace, own, clock);
    Heads heads = new Heads(sessions);
    this.queues = new Queues(sessions, own, firstGrants, heads, maxWaiters(options));
    this.revocations = new Revocations(sessions, firstGrants, heads);
    this.views = new Views(sessions, firstGrants, heads);
    this.sweep = new Sweep(namespace, sessions, firstGrants, settings.idle());
  }

  private static int maxWaiters(BackendOptions options) {
    int wish = options.maxWaiters().orElse(LockDocument.WAITERS_MAX);
    if (wish > LockDocument.WAITERS_MAX) {
      throw new BadRequestException(
          "maxWaiters=%d is too much: a queue in MongoDB is one document, in which %d may wait."
              .formatted(wish, LockDocument.WAITERS_MAX));
    }
    return wish;
  }

  /** Makes a backend, which looks at the collections once to see that they can be used. */
  static MongoLockBackend open(
      Connections connections, MongoSettings settings, BackendOptions options, Deadline deadline) {
    MongoErrors errors = new MongoErrors(connections.describe());
    try {
      Schema.require(new Call(connections.verbs(), errors, deadline, what -> {}));
      return new MongoLockBackend(connections, errors, settings, options);
    } catch (RuntimeException | Error e) {
      connections.close();
      throw e;
    }
  }

  private <T> T verb(Deadline deadline, Function<Call, T> verb) {
    return call(connections.verbs(), deadline, verb);
  }

  private <T> T call(Connection connection, Deadline deadline, Function<Call, T> verb) {
    if (closed) {
      throw new BackendFailure(
          Effect.NONE, "The connection to %s was closed.".formatted(describe()), null);
    }
    Call asked = new Call(connection, errors, deadline, settings.onCommand());
    try {
      return verb.apply(asked);
    } catch (RuntimeException e) {
      throw asked.effect() == Effect.UNKNOWN ? BackendFailure.halfway(e) : e;
    }
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public String describe() {
    return errors.where();
  }

  @Override
  public Opened open(SessionSpec spec, Deadline deadline) {
    return verb(deadline, call -> sessions.open(call, spec));
  }

  /** Heartbeats never queue behind the application's work. */
  @Override
  public Renewed renew(SessionId session, Deadline deadline) {
    return call(connections.heartbeats(), deadline, call -> sessions.renew(call, session));
  }

  @Override
  public Ended end(SessionId session, EndIf when, Deadline deadline) {
    return verb(deadline, call -> sessions.end(call, session, when));
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    return verb(deadline, call -> queues.grab(call, request));
  }

  @Override
  public Attempt overtake(Request request, Observed head, Deadline deadline) {
    return verb(deadline, call -> queues.overtake(call, request, head));
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    return verb(deadline, call -> queues.release(call, name, request));
  }

  @Override
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    return verb(deadline, call -> views.look(call, session, requests));
  }

  @Override
  public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
    return verb(deadline, call -> revocations.revoke(call, head, when));
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    verb(
        deadline,
        call -> {
          sessions.acknowledge(call, request);
          return request;
        });
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
    return verb(deadline, call -> views.inspect(call, name));
  }

  @Override
  public List<LockRecord> list(
      String prefix, Optional<LockName> after, int most, Deadline deadline) {
    return verb(deadline, call -> views.list(call, prefix, after, most));
  }

  @Override
  public int sweep(Deadline deadline) {
    return verb(deadline, sweep::run);
  }

  @Override
  public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    return capabilities.wakeup() == Wakeup.PUSH
        ? hints.listen(session, listener, deadline)
        : LockBackend.super.listen(session, listener, deadline);
  }

  @Override
  public void close() {
    closed = true;
    hints.close();
    connections.close();
  }
}
