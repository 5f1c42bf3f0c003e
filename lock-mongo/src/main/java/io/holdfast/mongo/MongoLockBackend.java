package io.holdfast.mongo;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BadRequestException;
import io.holdfast.mongo.clock.StoreClock;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.connection.Connection;
import io.holdfast.mongo.connection.Connections;
import io.holdfast.mongo.connection.MongoErrors;
import io.holdfast.mongo.hint.Hints;
import io.holdfast.mongo.namespace.Namespace;
import io.holdfast.mongo.namespace.Schema;
import io.holdfast.mongo.queue.FirstGrants;
import io.holdfast.mongo.queue.LockDocument;
import io.holdfast.mongo.queue.LockReader;
import io.holdfast.mongo.queue.QueueWriter;
import io.holdfast.mongo.queue.Releases;
import io.holdfast.mongo.queue.Removals;
import io.holdfast.mongo.queue.Resumptions;
import io.holdfast.mongo.queue.Revocations;
import io.holdfast.mongo.queue.Stays;
import io.holdfast.mongo.session.Notices;
import io.holdfast.mongo.session.OwnSessions;
import io.holdfast.mongo.session.Sessions;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
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
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.SessionSpec;
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
import java.util.function.Function;

/**
 * Locks in MongoDB. The queue of a lock lies in the lock's document, which alone decides the order.
 * Joining, leaving and handing over are one change of one document each, and a client may die after
 * any of them.
 */
final class MongoLockBackend implements LockBackend, ResumableSessions {

  private final Connections connections;
  private final MongoErrors errors;
  private final MongoSettings settings;
  private final Capabilities capabilities;
  private final Hints hints;
  private final Sessions sessions;
  private final Resumptions resumptions;
  private final Notices notices;
  private final QueueWriter queueWriter;
  private final Releases releases;
  private final Revocations revocations;
  private final LockReader reader;
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
            Set.of(LockMode.EXCLUSIVE, LockMode.SHARED),
            Set.of(Event.DELETION, Event.RESTART, Event.TOTAL_LOSS),
            Losses.NEVER,
            Set.of(Capabilities.Stays.values()));
    this.hints = new Hints(connections.verbs(), errors);
    Namespace namespace = new Namespace(options.namespace());
    OwnSessions own = new OwnSessions();
    StoreClock clock = new StoreClock(System::nanoTime);
    FirstGrants firstGrants = new FirstGrants(namespace, own, clock);
    this.sessions = new Sessions(namespace, own, clock);
    this.resumptions = new Resumptions(sessions);
    this.notices = new Notices(sessions);
    Stays stays = new Stays(sessions);
    Removals removals = new Removals(sessions, firstGrants, stays);
    this.queueWriter =
        new QueueWriter(sessions, own, firstGrants, stays, removals, maxWaiters(options));
    this.releases = new Releases(sessions, own, firstGrants, stays);
    this.revocations = new Revocations(sessions, notices, firstGrants, stays, removals);
    this.reader = new LockReader(sessions, firstGrants, stays);
    this.sweep = new Sweep(namespace, removals, settings.idle());
  }

  private static int maxWaiters(BackendOptions options) {
    int wish = options.maxWaiters().orElse(LockDocument.WAITERS_MAX);
    if (wish > LockDocument.WAITERS_MAX) {
      throw new BadRequestException(
          "maxWaiters=%s is too much: a queue in MongoDB is one document with at most %s waiters."
              .formatted(wish, LockDocument.WAITERS_MAX));
    }
    return wish;
  }

  /** Opens a backend after checking that the collections can be used. */
  static MongoLockBackend open(
      Connections connections, MongoSettings settings, BackendOptions options, Deadline deadline) {
    MongoErrors errors = new MongoErrors(connections.describe());
    try {
      CommandSender sender = new CommandSender(connections.verbs(), errors, deadline, what -> {});
      Schema.require(sender);
      Namespace.requireReadable(sender);
      return new MongoLockBackend(connections, errors, settings, options);
    } catch (RuntimeException | Error e) {
      connections.close();
      throw e;
    }
  }

  private <T> T verb(Deadline deadline, Function<CommandSender, T> verb) {
    return call(connections.verbs(), deadline, verb);
  }

  private <T> T call(Connection connection, Deadline deadline, Function<CommandSender, T> verb) {
    if (closed) {
      throw new BackendFailure(
          Effect.NONE, "The connection to %s was closed.".formatted(describe()), null);
    }
    CommandSender sender = new CommandSender(connection, errors, deadline, settings.onCommand());
    try {
      return verb.apply(sender);
    } catch (RuntimeException e) {
      throw sender.effect() == Effect.UNKNOWN ? BackendFailure.halfway(e) : e;
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
    return verb(deadline, sender -> sessions.open(sender, spec));
  }

  /** Heartbeats never queue behind the application's work. */
  @Override
  public Renewed renew(SessionId session, Deadline deadline) {
    return call(connections.heartbeats(), deadline, sender -> sessions.renew(sender, session));
  }

  @Override
  public Optional<Resumed> resume(SessionId session, Deadline deadline) {
    return verb(deadline, sender -> resumptions.resume(sender, session));
  }

  @Override
  public Ended end(SessionId session, EndIf when, Deadline deadline) {
    return verb(deadline, sender -> sessions.end(sender, session, when));
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    return verb(deadline, sender -> queueWriter.grab(sender, request));
  }

  @Override
  public Attempt overtake(Request request, Observed head, Deadline deadline) {
    return verb(deadline, sender -> queueWriter.overtake(sender, request, head));
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    return verb(deadline, sender -> releases.release(sender, name, request));
  }

  @Override
  public Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
    return verb(deadline, sender -> releases.releaseAfter(sender, key, stay));
  }

  @Override
  public OptionalLong downgrade(RequestKey key, Deadline deadline) {
    return verb(deadline, sender -> releases.downgrade(sender, key));
  }

  @Override
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    return verb(deadline, sender -> reader.look(sender, session, requests));
  }

  @Override
  public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
    return verb(deadline, sender -> revocations.revoke(sender, head, when));
  }

  @Override
  public Revocation revokeIn(Observed head, Duration notice, Deadline deadline) {
    return verb(deadline, sender -> revocations.revokeIn(sender, head, notice));
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    verb(
        deadline,
        sender -> {
          notices.acknowledge(sender, request);
          return request;
        });
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
    return verb(deadline, sender -> reader.inspect(sender, name));
  }

  @Override
  public List<LockRecord> list(
      String prefix, Optional<LockName> after, int limit, Deadline deadline) {
    return verb(deadline, sender -> reader.list(sender, prefix, after, limit));
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
