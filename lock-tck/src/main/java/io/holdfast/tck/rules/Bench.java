package io.holdfast.tck.rules;

import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.SessionSpec;
import io.holdfast.tck.store.TckStore;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The store under test, and clients of it that are closed with it. Thread-safe. */
public final class Bench implements AutoCloseable {

  /** A TTL of which no test sees the end by accident. */
  public static final Duration LONG = Duration.ofSeconds(30);

  /** A TTL for sessions that shall lapse, see {@link #lapse()}. */
  public static final Duration SHORT = Duration.ofMillis(300);

  /** How far the clock of these namespaces may step: so much longer is every lease. */
  public static final Duration MAX_CLOCK_STEP = Duration.ofMillis(100);

  private static final Duration CALL_MAX = Duration.ofSeconds(20);
  private static final int TRIES_MAX = 20;

  private final TckStore store;
  private final ConcurrentLinkedDeque<AutoCloseable> connections = new ConcurrentLinkedDeque<>();

  /** Takes over a store, to be closed with this bench. */
  public Bench(TckStore store) {
    this.store = store;
  }

  /** Returns the store itself. */
  public TckStore store() {
    return store;
  }

  /** Returns a deadline far enough away for any call on a slow machine. */
  public static Deadline soon() {
    return Deadline.in(CALL_MAX);
  }

  /** Returns what clients are told unless a rule is about just that. */
  public static BackendOptions options() {
    return options(Duration.ofMinutes(1));
  }

  /** Returns the same with another greatest TTL, which is also the length of the restart guard. */
  public static BackendOptions options(Duration maxTtl) {
    return new BackendOptions(
        new NamespaceWish(OptionalInt.of(1), Optional.of(maxTtl), Optional.of(MAX_CLOCK_STEP)),
        RestartGuard.ON);
  }

  /** Returns a connection of its own to the store. */
  public LockBackend connect() {
    return connect(options());
  }

  /** Returns a connection of its own to the store. */
  public LockBackend connect(BackendOptions options) {
    return closedWithThis(store.connect(options));
  }

  /** Sees to it that a connection is closed with this bench. */
  public <T extends AutoCloseable> T closedWithThis(T backend) {
    connections.push(backend);
    return backend;
  }

  /** Returns a client with a connection and a session of its own, of many seconds' TTL. */
  public SpiClient client() {
    return client(LONG);
  }

  /** Returns a client with a connection and a session of its own. */
  public SpiClient client(Duration ttl) {
    return SpiClient.open(connect(), ttl);
  }

  /** Returns a client whose connection was made with these options. */
  public SpiClient client(BackendOptions options, Duration ttl) {
    return SpiClient.open(connect(options), ttl);
  }

  /**
   * Returns the grant of a holder whose session is over and whose request is still there. Ends the
   * test as skipped where the store takes it away.
   */
  public Held deadHolder(LockName name) {
    requireExpiry(Expiry.BY_OTHERS);
    SpiClient dead = client();
    Held held = dead.hold(name);
    dead.closeSession();
    return held;
  }

  /** Ends the test as skipped unless sessions are ended by those that the rule is about. */
  public void requireExpiry(Expiry expiry) {
    Assumptions.assumeTrue(
        capabilities().expiry() == expiry,
        () -> "This store's sessions are ended " + capabilities().expiry() + ".");
  }

  /** Returns what a session of many seconds' TTL is opened with. */
  public static SessionSpec spec() {
    return spec(LONG);
  }

  /** Returns what a session is opened with. */
  public static SessionSpec spec(Duration ttl) {
    return new SessionSpec(SessionId.fresh(), ttl, 0, new ProcessIdentity("tck:1"));
  }

  /** Returns the URI under which a child process reaches the store, if there is one. */
  public Optional<String> uri() {
    return store.uri();
  }

  /** Returns what the store claims. */
  public Capabilities capabilities() {
    return connect().capabilities();
  }

  /** Returns the store's control of that kind; ends the test as skipped where it has none. */
  public <T> T control(Class<T> kind) {
    Optional<T> control = store.control(kind);
    Assumptions.assumeTrue(
        control.isPresent(), () -> "This store has no " + kind.getSimpleName() + ".");
    return control.orElseThrow();
  }

  /** Returns whether the store has a control of that kind. */
  public boolean has(Class<?> control) {
    return store.control(control).isPresent();
  }

  /** Ends the test as skipped unless the store claims that its tokens survive the event. */
  public void requireTokensSurvive(Capabilities.Event event) {
    Assumptions.assumeTrue(
        capabilities().tokensSurvive().contains(event),
        () -> "This store does not claim that its tokens survive " + event + ".");
  }

  /** Returns when so much time has passed by the store's clock. */
  public void elapse(Duration time) {
    store.elapse(time);
  }

  /**
   * Returns when every session of a {@link #SHORT} TTL that is not renewed meanwhile has lapsed; if
   * the store ends sessions by itself, when it has done so.
   */
  public void lapse() {
    elapse(SHORT.plus(MAX_CLOCK_STEP).plusMillis(50).plus(store.endsLate()));
  }

  /**
   * Asserts something that holds only for a time from the start of the attempt. Where it does not
   * hold although that time has not passed, the rule is broken; where the machine was too slow, it
   * is tried again.
   *
   * @param given makes what the attempt is made on; takes as long as it likes
   */
  public static <T> void holdsWithin(
      Duration time, String rule, Supplier<T> given, Predicate<T> attempt) {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      T subject = given.get();
      long start = System.nanoTime();
      boolean held = attempt.test(subject);
      Duration passed = Duration.ofNanos(System.nanoTime() - start);
      if (held) {
        return;
      }
      if (passed.compareTo(time) < 0) {
        Assertions.fail("%s, but after only %s it did not hold.", rule, passed);
      }
    }
    Assumptions.abort("This machine is too slow to show within " + time + ": " + rule);
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable connection : connections) {
      connection.close();
    }
    store.close();
  }
}
