package io.holdfast;

import io.holdfast.engine.EngineClient;
import io.holdfast.engine.connect.Providers;
import io.holdfast.engine.turn.EngineSettings;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockQueueFullException;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Retirement;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Stay;
import io.holdfast.spi.BackendFactory;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The settings of a client. Each setting is checked when it is given. Settings that depend on each
 * other are checked when the client connects. Not thread-safe. One builder can make several
 * clients.
 */
public final class ClientBuilder {

  /** A longer duration cannot be counted in nanoseconds. */
  private static final Duration DURATION_MAX = Duration.ofDays(365L * 100);

  /** Looked up only if needed, because a lookup of this host's name may wait for a name server. */
  private Optional<ProcessIdentity> process = Optional.empty();

  private Duration defaultTtl = Duration.ofSeconds(15);
  private Optional<Duration> heartbeat = Optional.empty();
  private Optional<Duration> grace = Optional.empty();
  private double clockRateBound = 0.01;
  private Optional<Duration> maxTtl = Optional.empty();
  private Optional<Duration> maxClockStep = Optional.empty();
  private OptionalInt partitions = OptionalInt.empty();
  private OptionalInt maxWaiters = OptionalInt.empty();
  private RestartGuard restartGuard = RestartGuard.ON;
  private String namePrefix = "";
  private boolean releaseOnExit;
  private boolean releaseEarlierLife;
  private final List<Consumer<LockEvent>> listeners = new ArrayList<>();
  private Executor asyncExecutor = new CompletableFuture<Grant>().defaultExecutor();

  ClientBuilder() {}

  /**
   * Sets the identity of this process that is shown to people who inspect locks; {@code host:pid}
   * by default.
   */
  public ClientBuilder processIdentity(ProcessIdentity process) {
    this.process = Optional.of(process);
    return this;
  }

  /** Sets the TTL of sessions for calls that do not give one; 15 s by default, at least 10 ms. */
  public ClientBuilder defaultTtl(Duration ttl) {
    this.defaultTtl = positive("defaultTtl", ttl);
    return this;
  }

  /** Sets the greatest time between two heartbeats; a third of the session's TTL by default. */
  public ClientBuilder heartbeat(Duration interval) {
    this.heartbeat = Optional.of(positive("heartbeat", interval));
    return this;
  }

  /**
   * Sets how long a session can stay in jeopardy before its grants are lost; one TTL by default.
   */
  public ClientBuilder grace(Duration grace) {
    this.grace = Optional.of(notNegative("grace", grace));
    return this;
  }

  /**
   * Sets the bound on the difference between the rates of this machine's clock and the store's
   * clock, as a fraction; 0.01 by default. The client counts every lease shorter by this fraction.
   */
  public ClientBuilder clockRateBound(double fraction) {
    if (!(fraction >= 0 && fraction < 0.5)) {
      throw new BadRequestException("clockRateBound must be from 0 to below 0.5: " + fraction);
    }
    this.clockRateBound = fraction;
    return this;
  }

  /**
   * Sets the namespace's greatest TTL; 60 s by default. Refused if the namespace already has
   * another value.
   */
  public ClientBuilder maxTtl(Duration maxTtl) {
    this.maxTtl = Optional.of(positive("maxTtl", maxTtl));
    return this;
  }

  /**
   * Sets the bound on how far the store's clock may step forward within one TTL; 1 s by default.
   * Refused if the namespace already has another value.
   */
  public ClientBuilder maxClockStep(Duration step) {
    this.maxClockStep = Optional.of(notNegative("maxClockStep", step));
    return this;
  }

  /**
   * Sets the namespace's number of partitions; 1 by default. Refused if the namespace already has
   * another value.
   */
  public ClientBuilder partitions(int count) {
    if (count < 1) {
      throw new BadRequestException("partitions must be positive: " + count);
    }
    this.partitions = OptionalInt.of(count);
    return this;
  }

  /**
   * Sets how many requests may wait for one lock. If that many already wait, this client gets a
   * {@link LockQueueFullException} instead of waiting. The default is the number for which the
   * store was measured. MongoDB, which has room for no more, refuses a higher one; a store whose
   * queue has a bound in bytes may be full with fewer. Clients may have different limits. The same
   * as {@code maxWaiters=N} in a URI, which takes precedence over this setting.
   */
  public ClientBuilder maxWaiters(int limit) {
    if (limit < 1) {
      throw new BadRequestException("maxWaiters must be positive: " + limit);
    }
    this.maxWaiters = OptionalInt.of(limit);
    return this;
  }

  /**
   * Switches the restart guard off. After a restart that may have lost grants the store then grants
   * locks at once, so a lock may have two holders at the same time. Meant for tests and for new
   * servers: an empty Redis server looks like one that lost its data, so its first clients wait for
   * a minute.
   */
  public ClientBuilder withoutRestartGuard() {
    this.restartGuard = RestartGuard.OFF;
    return this;
  }

  /**
   * Sets a prefix for the name of every lock, such as {@code shop/}; part of the name in the store.
   *
   * @param prefix the beginning of a name, which leaves room for more; empty for none
   * @throws BadRequestException if no name can begin like this
   */
  public ClientBuilder namePrefix(String prefix) {
    if (LockName.utf8("A prefix of names", prefix).length >= LockName.BYTES_MAX) {
      throw new BadRequestException(
          "A prefix of names must have fewer bytes in UTF-8 than a name, which may have %s: %.40s…"
              .formatted(LockName.BYTES_MAX, prefix));
    }
    if (LockName.hasControl(prefix)) {
      throw new BadRequestException("A prefix of names must not have control characters.");
    }
    this.namePrefix = prefix;
    return this;
  }

  /**
   * Makes the client release its grants when the JVM exits. Off by default, because exit hooks run
   * at the same time as the application's own shutdown, which may still rely on a lock. With or
   * without it, the client grants no further locks once the JVM exits.
   */
  public ClientBuilder releaseOnExit() {
    this.releaseOnExit = true;
    return this;
  }

  /**
   * Makes the client, when it connects, {@linkplain RevokeWhen#SAFELY safely} revoke the grants
   * that an earlier run of this process left behind because it crashed or hangs. These are all
   * grants, among the locks with this client's name prefix, whose holder has this client's process
   * identity. A grant whose session is over or has lapsed is freed at once. Any other holder is
   * notified, and its lock passes on after the holder's own TTL at the latest, so this client may
   * have to wait for the lock. A lock-delay of the earlier run is ended; a lock that it gave back
   * and that stays taken for its {@linkplain AcquireOptions#atLeast least time} is left alone.
   * Reads every lock that is held. Off by default.
   *
   * <p>Needs a {@link #processIdentity} that stays the same over restarts. Two clients must not
   * have the same identity at the same time, because each would revoke the other's locks.
   */
  public ClientBuilder releaseEarlierLife() {
    this.releaseEarlierLife = true;
    return this;
  }

  /** Adds a listener for events that matter to operators. */
  public ClientBuilder listener(Consumer<LockEvent> listener) {
    listeners.add(listener);
    return this;
  }

  /**
   * Sets what completes the futures of {@linkplain DistributedLock#acquireAsync asynchronous
   * acquires}, and so runs what depends on them; by default what {@link CompletableFuture} itself
   * uses, the common pool on most machines. It is handed its tasks on a thread of the client on
   * which nothing else depends, so one that runs them at once delays no lease.
   *
   * <p>If it throws instead of taking a task, the grant is given back and its future fails with
   * what was thrown. The future fails on that thread of the client then, and what depends on it
   * runs there. It must not drop a task that it has taken: no caller would have the grant.
   */
  public ClientBuilder asyncExecutor(Executor executor) {
    this.asyncExecutor = executor;
    return this;
  }

  /**
   * Connects to the store that the URI names.
   *
   * @throws BadRequestException if no adapter on the class path accepts the URI, if several
   *     adapters accept it, if the URI is malformed, or if settings contradict each other
   * @throws BackendUnreachableException if the store does not answer
   * @throws BackendUnusableException if it cannot be used as it is
   */
  public LockClient connect(String uri) {
    EngineSettings settings = settings();
    return start(Providers.connect(uri, options()), settings);
  }

  /**
   * Connects through an object that the application already has, such as a {@code DataSource}. That
   * object stays open when the client is closed. Adapters provide the factories: {@code
   * JdbcLocks.on(dataSource)}.
   *
   * @throws BadRequestException if the object does not lead to a store that can keep locks, or if
   *     settings contradict each other
   * @throws BackendUnreachableException if the store does not answer
   * @throws BackendUnusableException if it cannot be used as it is
   */
  public LockClient connect(BackendFactory factory) {
    EngineSettings settings = settings();
    return start(Providers.connect(factory, options()), settings);
  }

  /**
   * Makes a client of a backend that an adapter's factory made. The backend is closed together with
   * the client.
   *
   * @throws BadRequestException if settings contradict each other, or if a setting was given that
   *     can only be applied when the backend is made
   */
  public LockClient connect(LockBackend backend) {
    if (!options().equals(BackendOptions.DEFAULTS)) {
      throw new BadRequestException(
          "partitions, maxTtl, maxClockStep, maxWaiters and the restart guard belong to the backend: give them where the backend %s is made."
              .formatted(backend.describe()));
    }
    return start(backend, settings());
  }

  private LockClient start(LockBackend backend, EngineSettings settings) {
    LockClient client = EngineClient.owning(backend, settings);
    if (releaseEarlierLife) {
      try {
        revokeHeldBy(settings.process(), client);
      } catch (RuntimeException | Error e) {
        client.close();
        throw e;
      }
    }
    return client;
  }

  /** The client has no session yet, so none of the grants that it finds is its own. */
  private static void revokeHeldBy(ProcessIdentity process, LockClient client) {
    try (Stream<LockRecord> held = client.list("")) {
      held.forEach(
          lock ->
              lock.holders().stream()
                  .filter(holder -> holder.process().equals(process))
                  .filter(holder -> !isGivenBack(holder))
                  .forEach(holder -> client.revoke(lock, holder, RevokeWhen.SAFELY)));
    }
  }

  /**
   * A holder that stays for its least time was given back: its job is done, and must not run again.
   */
  private static boolean isGivenBack(Holder holder) {
    return holder.stay().filter(stay -> stay.reason() == Stay.Reason.AT_LEAST).isPresent();
  }

  static Retirement retire(String uri) {
    return Providers.retire(uri);
  }

  private BackendOptions options() {
    return new BackendOptions(
        new NamespaceWish(partitions, maxTtl, maxClockStep), restartGuard, maxWaiters);
  }

  private EngineSettings settings() {
    if (releaseEarlierLife && process.isEmpty()) {
      throw new BadRequestException(
          "releaseEarlierLife() needs a processIdentity, because host:pid is different after a restart.");
    }
    return new EngineSettings(
        process.orElseGet(ProcessIdentity::ofThisProcess),
        defaultTtl,
        heartbeat,
        grace,
        clockRateBound,
        namePrefix,
        releaseOnExit,
        List.copyOf(listeners),
        asyncExecutor);
  }

  private static Duration positive(String setting, Duration value) {
    if (value.isZero()) {
      throw new BadRequestException(setting + " must be positive: " + value);
    }
    return notNegative(setting, value);
  }

  private static Duration notNegative(String setting, Duration value) {
    if (value.isNegative() || value.compareTo(DURATION_MAX) > 0) {
      throw new BadRequestException(
          "%s must not be negative, nor above %s: %s".formatted(setting, DURATION_MAX, value));
    }
    return value;
  }
}
