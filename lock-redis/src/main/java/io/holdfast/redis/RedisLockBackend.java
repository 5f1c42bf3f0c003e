package io.holdfast.redis;

import static io.holdfast.redis.script.Arguments.ascii;
import static io.holdfast.redis.script.Arguments.flag;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.SessionId;
import io.holdfast.redis.connection.ApplicationClient;
import io.holdfast.redis.connection.OwnClient;
import io.holdfast.redis.connection.RedisClient;
import io.holdfast.redis.connection.RedisClient.CallKind;
import io.holdfast.redis.connection.RedisUri;
import io.holdfast.redis.script.KeyNames;
import io.holdfast.redis.script.Reply;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Capabilities.Event;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Contention;
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
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.Standing;
import io.holdfast.spi.support.QueueText;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import redis.clients.jedis.UnifiedJedis;

/** Locks in Redis. Each verb runs one script, which the server executes as one atomic step. */
final class RedisLockBackend implements LockBackend {

  /** The longest queue, in bytes: about 4,000 waiters, or 93 with payloads of 4 KiB. */
  static final int QUEUE_MAX = 512 * 1024;

  private static final byte[] QUEUES = ascii(QUEUE_MAX);
  private static final byte[] DOES_NOT_QUEUE = ascii(0);

  private static final Set<Event> TOKENS_SURVIVE =
      Set.of(Event.DELETION, Event.RESTART, Event.FAIL_OVER, Event.PARTIAL_LOSS, Event.TOTAL_LOSS);

  private final RedisClient redis;
  private final Namespace namespace;
  private final Sessions sessions;
  private final LockReader reader;
  private final Sweep sweep;
  private final RedisHints hints;
  private final boolean guarded;
  private final OptionalInt maxWaiters;
  private final byte[] maxWaitersArgument;
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
    this.reader = new LockReader(namespace);
    this.sweep = new Sweep(namespace, settings.idle());
    this.guarded = options.restartGuard() == RestartGuard.ON;
    this.maxWaiters = options.maxWaiters();
    this.maxWaitersArgument = ascii(maxWaiters.orElse(Integer.MAX_VALUE));
    this.capabilities =
        new Capabilities(
            Wakeup.PUSH,
            Order.FIFO,
            Expiry.BY_OTHERS,
            Set.of(LockMode.EXCLUSIVE),
            TOKENS_SURVIVE,
            Losses.of(options.restartGuard()));
  }

  /** Connects with our own connections. Opens one at once to check that the server can be used. */
  static RedisLockBackend connect(
      RedisUri uri, RedisSettings settings, BackendOptions options, Deadline deadline) {
    RestartGuard guard =
        uri.restartGuard() == RestartGuard.OFF ? RestartGuard.OFF : options.restartGuard();
    OwnClient redis = new OwnClient(uri);
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
    redis.attach(deadline);
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
  public Ended end(SessionId session, EndIf when, Deadline deadline) {
    return switch (when) {
      case CLOSED -> sessions.close(session, deadline);
      case LAPSED -> sessions.endLapsed(session, deadline);
    };
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    request.requireExclusive(describe());
    return attempt(
        request.name(),
        namespace.ask(
            Script.GRAB,
            partition(request.name()),
            deadline,
            request.name().bytes(),
            ascii(request.id()),
            ascii(QueueText.entry(request)),
            request.ifHeld() == IfHeld.QUEUE ? QUEUES : DOES_NOT_QUEUE,
            maxWaitersArgument,
            flag(guarded)));
  }

  @Override
  public Attempt overtake(Request request, Observed head, Deadline deadline) {
    request.requireExclusive(describe());
    return attempt(
        request.name(),
        namespace.ask(
            Script.OVERTAKE,
            partition(request.name()),
            deadline,
            request.name().bytes(),
            ascii(request.id()),
            ascii(QueueText.entry(request)),
            ascii(head.number()),
            ascii(head.request()),
            flag(guarded)));
  }

  private Attempt attempt(LockName name, Reply reply) {
    return switch (reply.text(0)) {
      case "granted" ->
          new Attempt.Granted(
              reply.number(1), reply.instant(2), Contention.of((int) reply.number(3)));
      case "queued" -> new Attempt.Queued();
      case "delayed" ->
          new Attempt.Delayed(
              reply.duration(1),
              "%s may have lost its last grants with a restart or a fail-over, so it grants no lock until all earlier leases have run out. %s"
                  .formatted(describe(), Namespace.WITHOUT_GUARD));
      case "over" -> new Attempt.SessionOver();
      case "full" ->
          new Attempt.QueueFull(
              reply.text(1).equals("waiters")
                  ? "maxWaiters=" + maxWaiters.orElseThrow()
                  : "a queue of %d bytes".formatted(QUEUE_MAX));
      case "refused" -> {
        Reply record = reply.from(1);
        yield new Attempt.Refused(LockReader.record(record), record.optionalDuration(6));
      }
      default ->
          throw new IllegalStateException(
              "Unknown answer of a script about " + name + ": " + reply);
    };
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    return Released.valueOf(
        Reply.text(
            namespace.run(
                Script.RELEASE,
                CallKind.VERB,
                partition(name),
                deadline,
                name.bytes(),
                ascii(request))));
  }

  @Override
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    return reader.look(session, requests, deadline);
  }

  @Override
  public Revocation revoke(Observed head, RevokeWhen when, Deadline deadline) {
    Reply reply =
        namespace.ask(
            Script.REVOKE,
            partition(head.name()),
            deadline,
            head.name().bytes(),
            ascii(head.number()),
            ascii(head.request()),
            ascii(when),
            flag(guarded));
    return switch (reply.text(0)) {
      case "marked" -> new Revocation.Marked(reply.duration(1));
      case "freed" -> new Revocation.Freed();
      default -> new Revocation.Changed();
    };
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    sessions.acknowledge(request, deadline);
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
    return reader.inspect(name, deadline);
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
