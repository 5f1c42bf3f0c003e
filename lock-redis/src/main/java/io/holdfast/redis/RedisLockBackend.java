package io.holdfast.redis;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.redis.connection.ApplicationClient;
import io.holdfast.redis.connection.OwnClient;
import io.holdfast.redis.connection.RedisClient;
import io.holdfast.redis.connection.RedisUri;
import io.holdfast.redis.script.KeyNames;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
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
import redis.clients.jedis.UnifiedJedis;

/**
 * Locks in Redis. Each verb runs one script, which the server executes as one atomic step; but
 * several to open or to resume a session, and to list.
 */
final class RedisLockBackend implements LockBackend, ResumableSessions {

  private static final Set<Event> TOKENS_SURVIVE =
      Set.of(Event.DELETION, Event.RESTART, Event.FAIL_OVER, Event.PARTIAL_LOSS, Event.TOTAL_LOSS);

  private final RedisClient redis;
  private final Namespace namespace;
  private final Sessions sessions;
  private final LockVerbs locks;
  private final LockReader reader;
  private final Sweep sweep;
  private final RedisHints hints;
  private final Capabilities capabilities;

  private RedisLockBackend(
      RedisClient redis,
      KeyNames names,
      RedisSettings settings,
      BackendOptions options,
      Deadline deadline) {
    this.redis = redis;
    this.namespace = new Namespace(redis, settings, options.namespace(), deadline);
    this.hints = new RedisHints(redis, names.channel(SessionId.fresh().value()));
    this.sessions = new Sessions(namespace, hints.channel());
    this.locks = new LockVerbs(namespace, options);
    this.reader = new LockReader(namespace);
    this.sweep = new Sweep(namespace, settings.idle());
    this.capabilities =
        new Capabilities(
            Wakeup.PUSH,
            Order.FIFO,
            Expiry.BY_OTHERS,
            Set.of(LockMode.values()),
            TOKENS_SURVIVE,
            Losses.of(options.restartGuard()),
            Set.of(Stays.values()));
  }

  /** Connects with our own connections. Opens one at once to check that the server can be used. */
  static RedisLockBackend connect(
      RedisUri uri, RedisSettings settings, BackendOptions options, Deadline deadline) {
    RestartGuard guard =
        uri.restartGuard() == RestartGuard.OFF ? RestartGuard.OFF : options.restartGuard();
    OwnClient redis = new OwnClient(uri, guard);
    try {
      return new RedisLockBackend(redis, uri.names(), settings, options.with(guard), deadline);
    } catch (RuntimeException | Error e) {
      redis.close();
      throw e;
    }
  }

  /** Uses the application's client. Checks at once that the server can be used. */
  static RedisLockBackend over(
      UnifiedJedis jedis,
      KeyNames names,
      RedisSettings settings,
      BackendOptions options,
      Deadline deadline) {
    ApplicationClient redis = new ApplicationClient(jedis, names);
    redis.attach(options.restartGuard(), deadline);
    return new RedisLockBackend(redis, names, settings, options, deadline);
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public String describe() {
    return redis.describe();
  }

  @Override
  public int partition(LockName name) {
    return namespace.partition(name);
  }

  @Override
  public Opened open(SessionSpec spec, Deadline deadline) {
    return sessions.open(spec, deadline);
  }

  @Override
  public Renewed renew(SessionId session, Deadline deadline) {
    hints.check();
    return sessions.renew(session, deadline);
  }

  @Override
  public Optional<Resumed> resume(SessionId session, Deadline deadline) {
    return sessions.resume(session, deadline);
  }

  @Override
  public Ended end(SessionId session, EndIf when, Deadline deadline) {
    return switch (when) {
      case CLOSED -> sessions.close(session, deadline);
      case LAPSED -> sessions.endLapsed(session, deadline);
    };
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    return locks.grab(request, deadline);
  }

  @Override
  public Attempt overtake(Request request, Observed head, Deadline deadline) {
    return locks.overtake(request, head, deadline);
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    return locks.release(name, request, deadline);
  }

  @Override
  public Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
    return locks.releaseAfter(key, stay, deadline);
  }

  @Override
  public OptionalLong downgrade(RequestKey key, Deadline deadline) {
    return locks.downgrade(key, deadline);
  }

  @Override
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    return reader.look(session, requests, deadline);
  }

  @Override
  public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
    return switch (when) {
      case SAFELY -> locks.revoke(head, Duration.ZERO, deadline);
      case NOW -> locks.revokeAtOnce(head, deadline);
    };
  }

  @Override
  public Revocation revokeIn(Observed head, Duration notice, Deadline deadline) {
    return locks.revoke(head, notice, deadline);
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    sessions.acknowledge(request, deadline);
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
    return reader.inspect(name, Integer.MAX_VALUE, deadline);
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, int waiters, Deadline deadline) {
    return reader.inspect(name, waiters, deadline);
  }

  @Override
  public Optional<List<Waiter>> waitersBehind(
      LockName name, RequestId after, int limit, Deadline deadline) {
    return reader.waitersBehind(name, after, limit, deadline);
  }

  @Override
  public List<LockRecord> list(
      String prefix, Optional<LockName> after, int limit, Deadline deadline) {
    return reader.list(prefix, after, limit, deadline);
  }

  @Override
  public int sweep(Deadline deadline) {
    return sweep.sweep(deadline);
  }

  @Override
  public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    return hints.listen(session, listener, deadline);
  }

  @Override
  public void close() {
    hints.close();
    redis.close();
  }
}
