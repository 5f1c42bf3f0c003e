package io.holdfast;

import io.holdfast.engine.EngineClient;
import io.holdfast.engine.EngineSettings;
import io.holdfast.engine.Providers;
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
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The settings of a client. Every setting is checked when it is given, those that depend on each
 * other when the client connects. Not thread-safe; may be used for several clients.
 */
public final class ClientBuilder {

  /** Longer ones cannot be counted in nanoseconds. */
  private static final Duration DURATION_MAX = Duration.ofDays(365L * 100);

  /** Looked up only if needed: finding this host's name may take a name server's time. */
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

  ClientBuilder() {}

  /** Who this process says it is to people who look at locks; {@code host:pid} by default. */
  public ClientBuilder processIdentity(ProcessIdentity process) {
    this.process = Optional.of(process);
    return this;
  }

  /** The TTL of sessions unless a call asks for another; 15 s by default, at least 10 ms. */
  public ClientBuilder defaultTtl(Duration ttl) {
    this.defaultTtl = positive("defaultTtl", ttl);
    return this;
  }

  /** The greatest time between two heartbeats; a third of the session's TTL by default. */
  public ClientBuilder heartbeat(Duration interval) {
    this.heartbeat = Optional.of(positive("heartbeat", interval));
    return this;
  }

  /** How long a session in jeopardy is given before its grants are lost; one TTL by default. */
  public ClientBuilder grace(Duration grace) {
    this.grace = Optional.of(notNegative("grace", grace));
    return this;
  }

  /**
   * How far the rates of this machine's clock and the store's may differ, as a fraction; 0.01 by
   * default. Every lease is believed shorter by it.
   */
  public ClientBuilder clockRateBound(double fraction) {
    if (!(fraction >= 0 && fraction < 0.5)) {
      throw new BadRequestException("clockRateBound must be from 0 to below 0.5: " + fraction);
    }
    this.clockRateBound = fraction;
    return this;
  }

  /** The namespace's greatest TTL, 60 s by default; refused where the namespace has another. */
  public ClientBuilder maxTtl(Duration maxTtl) {
    this.maxTtl = Optional.of(positive("maxTtl", maxTtl));
    return this;
  }

  /**
   * How far the store's clock may step forward within one TTL, 1 s by default; refused where the
   * namespace has another.
   */
  public ClientBuilder maxClockStep(Duration step) {
    this.maxClockStep = Optional.of(notNegative("maxClockStep", step));
    return this;
  }

  /** The namespace's number of partitions, 1 by default; refused where it has another. */
  public ClientBuilder partitions(int count) {
    if (count < 1) {
      throw new BadRequestException("partitions must be positive: " + count);
    }
    this.partitions = OptionalInt.of(count);
    return this;
  }

  /**
   * How many requests may wait for one lock: where that many do, this client gets a {@link
   * LockQueueFullException} instead of waiting. By default as many as the store has room for; a
   * store in which there is room for fewer refuses the setting. Clients need not agree on it. The
   * same as {@code maxWaiters=N} in a URI, which goes before this.
   */
  public ClientBuilder maxWaiters(int most) {
    if (most < 1) {
      throw new BadRequestException("maxWaiters must be positive: " + most);
    }
    this.maxWaiters = OptionalInt.of(most);
    return this;
  }

  /**
   * Switches the restart guard off: after a restart that may have lost grants nobody waits, and two
   * holders may meet. For tests, and for servers that are new: an empty Redis looks like one that
   * lost its data, and makes its first clients wait for a minute.
   */
  public ClientBuilder withoutRestartGuard() {
    this.restartGuard = RestartGuard.OFF;
    return this;
  }

  /** A text put before every lock's name, such as {@code shop/}; part of the name in the store. */
  public ClientBuilder namePrefix(String prefix) {
    this.namePrefix = prefix;
    return this;
  }

  /**
   * Releases what is held when the JVM exits. Off by default, because exit hooks run beside the
   * application's own shutdown, which may still rely on the lock.
   */
  public ClientBuilder releaseOnExit() {
    this.releaseOnExit = true;
    return this;
  }

  /**
   * When the client connects, revokes {@linkplain RevokeWhen#SAFELY safely} every grant, among the
   * locks with this client's name prefix, whose holder says that it is this process: those of an
   * earlier life, which crashed or hangs. What is known to have died is freed at once. The rest is
   * told, and passes on after its own TTL at the latest, so this client may have to wait for it.
   * Reads every lock that is held. Off by default.
   *
   * <p>Needs a {@link #processIdentity} that outlives restarts, and that no two clients have at the
   * same time: they would take each other's locks away.
   */
  public ClientBuilder releaseEarlierLife() {
    this.releaseEarlierLife = true;
    return this;
  }

  /** Adds a listener for what operators may want to know. */
  public ClientBuilder listener(Consumer<LockEvent> listener) {
    listeners.add(listener);
    return this;
  }

  /**
   * Connects to the store that the URI names.
   *
   * @throws BadRequestException if no adapter on the class path takes the URI, or several do, or it
   *     is malformed, or settings contradict each other
   * @throws BackendUnreachableException if the store does not answer
   * @throws BackendUnusableException if it cannot be used as it is
   */
  public LockClient connect(String uri) {
    EngineSettings settings = settings();
    return start(Providers.connect(uri, options()), settings);
  }

  /**
   * Connects to the store behind something that the application already has, and that stays open
   * when the client is closed. Adapters make the factories: {@code JdbcLocks.on(dataSource)}.
   *
   * @throws BadRequestException if this cannot be a store of locks, or settings contradict each
   *     other
   * @throws BackendUnreachableException if the store does not answer
   * @throws BackendUnusableException if it cannot be used as it is
   */
  public LockClient connect(BackendFactory factory) {
    EngineSettings settings = settings();
    return start(Providers.connect(factory, options()), settings);
  }

  /**
   * Makes a client of a backend that an adapter's factory made; closes it with the client.
   *
   * @throws BadRequestException if settings contradict each other, or if one was given that only
   *     the making of the backend could have heeded
   */
  public LockClient connect(LockBackend backend) {
    if (!options().equals(BackendOptions.DEFAULTS)) {
      throw new BadRequestException(
          "partitions, maxTtl, maxClockStep, maxWaiters and the restart guard belong to the backend: give them to whatever made %s."
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

  /** The client has no session yet, so nothing that it finds is its own. */
  private static void revokeHeldBy(ProcessIdentity process, LockClient client) {
    try (Stream<LockRecord> held = client.list("")) {
      held.filter(lock -> lock.holder().map(Holder::process).filter(process::equals).isPresent())
          .forEach(lock -> client.revoke(lock, RevokeWhen.SAFELY));
    }
  }

  private BackendOptions options() {
    return new BackendOptions(
        new NamespaceWish(partitions, maxTtl, maxClockStep), restartGuard, maxWaiters);
  }

  private EngineSettings settings() {
    if (releaseEarlierLife && process.isEmpty()) {
      throw new BadRequestException(
          "releaseEarlierLife() needs a processIdentity: host:pid names another process after a restart.");
    }
    return new EngineSettings(
        process.orElseGet(ProcessIdentity::ofThisProcess),
        defaultTtl,
        heartbeat,
        grace,
        clockRateBound,
        namePrefix,
        releaseOnExit,
        List.copyOf(listeners));
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
