package io.holdfast.tck.rules;

import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.SessionSpec;
import io.holdfast.tck.report.Claim;
import io.holdfast.tck.report.Facts;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.NotProvedException;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.NetworkControl;
import io.holdfast.tck.store.QuorumControl;
import io.holdfast.tck.store.RealClockControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.tck.store.WipeControl;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.assertj.core.api.Assertions;

/** The store under test, and clients of it that are closed with it. Thread-safe. */
public final class Bench implements AutoCloseable {

  /**
   * A TTL of which no test sees the end by accident, on however slow a machine: what takes long
   * {@linkplain SpiClient#keepAlive() keeps its sessions alive}.
   */
  public static final Duration LONG = Duration.ofSeconds(30);

  /** A TTL for sessions that shall lapse, see {@link #lapse()}. */
  public static final Duration SHORT = Duration.ofMillis(300);

  /** How far the clock of these namespaces may step: so much longer is every lease. */
  public static final Duration MAX_CLOCK_STEP = Duration.ofMillis(100);

  private static final Duration CALL_MAX = Duration.ofSeconds(20);
  private static final int TRIES_MAX = 20;

  /** What other users of the same server may notice: a rule says that it uses it. */
  private static final Set<Class<?>> DISTURBING =
      Set.of(ClockControl.class, RestartControl.class, FailOverControl.class, QuorumControl.class);

  /** What a test may be able to do to a store. */
  private static final List<Class<?>> CONTROLS =
      List.of(
          ClockControl.class,
          RealClockControl.class,
          RestartControl.class,
          FailOverControl.class,
          QuorumControl.class,
          StepControl.class,
          NetworkControl.class,
          WipeControl.class);

  private final TckStore store;
  private final Set<Class<?>> disturbs;
  private final Set<Class<?>> shared;
  private volatile Optional<Facts> facts = Optional.empty();
  private final ConcurrentLinkedDeque<AutoCloseable> connections = new ConcurrentLinkedDeque<>();

  /**
   * Takes over a store, to be closed with this bench.
   *
   * @param disturbs the controls that the rule says it uses, see {@link Disturbs}
   * @param shared the controls that other rules notice, see {@link SharedServer}
   */
  public Bench(TckStore store, Set<Class<?>> disturbs, Set<Class<?>> shared) {
    this.store = store;
    this.disturbs = disturbs;
    this.shared = shared;
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
    LockBackend backend = closedWithThis(store.connect(options));
    if (options.restartGuard() == RestartGuard.ON) {
      facts = Optional.of(factsOf(backend));
    }
    return backend;
  }

  /** Returns what is known of the store since somebody connected. */
  public Optional<Facts> facts() {
    return facts;
  }

  private Facts factsOf(LockBackend backend) {
    Capabilities claimed = backend.capabilities();
    return new Facts(
        backend.describe(),
        claimed,
        Claim.of(claimed, store.isEmbedded(), backend instanceof ResumableSessions),
        CONTROLS.stream().filter(this::has).map(Class::getSimpleName).toList());
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
    Expiry claimed = capabilities().expiry();
    NotApplicableException.unless(
        claimed == expiry, "This store's sessions are ended " + claimed + ".");
  }

  /** Ends the test as one that does not apply unless waiters are told so. */
  public void requireWakeup(Wakeup wakeup) {
    Wakeup claimed = capabilities().wakeup();
    NotApplicableException.unless(claimed == wakeup, "This store claims " + claimed + ".");
  }

  /** Ends the test as one that does not apply unless waiters are served in that order. */
  public void requireOrder(Order order) {
    Order claimed = capabilities().order();
    NotApplicableException.unless(claimed == order, "This store claims the order " + claimed + ".");
  }

  /** Ends the test as one that does not apply unless the store says one of these of its losses. */
  public void requireLosses(Set<Losses> losses) {
    Losses claimed = capabilities().losses();
    NotApplicableException.unless(
        losses.contains(claimed), "This store says that it loses grants: " + claimed + ".");
  }

  /** Returns what resumes sessions; ends the test as one that does not apply where nothing does. */
  public static ResumableSessions requireResumable(LockBackend backend) {
    if (backend instanceof ResumableSessions sessions) {
      return sessions;
    }
    throw new NotApplicableException("This store cannot tell what a session has.");
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

  /** Returns what the store claims. Gives no settings: the namespace may be there, with its own. */
  public Capabilities capabilities() {
    return connect(BackendOptions.DEFAULTS).capabilities();
  }

  /** Returns the store's control of that kind; ends the test as not proved where it has none. */
  public <T> T control(Class<T> kind) {
    requireDeclared(kind);
    Optional<T> control = store.control(kind);
    if (control.isEmpty() && kind == NetworkControl.class && store.isEmbedded()) {
      throw new NotApplicableException("This store lives in its clients' processes.");
    }
    return control.orElseThrow(() -> new NotProvedException(whyThereIsNo(kind)));
  }

  private String whyThereIsNo(Class<?> control) {
    return control == RealClockControl.class && has(ClockControl.class)
        ? "TckStore's ClockControl moves the times on record and sets no clock, so that nothing which comes of the clock changes: RealClockControl does."
        : "TckStore implements no " + control.getSimpleName() + ".";
  }

  /** Returns the control of the network; ends the test unless single messages can be told apart. */
  public NetworkControl messages() {
    NetworkControl control = control(NetworkControl.class);
    if (!control.framing().knowsMessages()) {
      throw new NotProvedException(
          "Framing.none() tells no message from another: NetworkControl.framing() needs one for the protocol.");
    }
    return control;
  }

  private void requireDeclared(Class<?> kind) {
    boolean disturbing = DISTURBING.stream().anyMatch(other -> other.isAssignableFrom(kind));
    if (disturbing && !declares(kind)) {
      throw new IllegalStateException(
          "The rule uses %1$s. It has to say so, by @Disturbs(%1$s.class), to be alone on a server that others use."
              .formatted(kind.getSimpleName()));
    }
  }

  /** Returns whether the store has a control of that kind. */
  public boolean has(Class<?> control) {
    return store.control(control).isPresent();
  }

  /** Ends the test as skipped unless the store claims that its tokens survive the event. */
  public void requireTokensSurvive(Capabilities.Event event) {
    NotApplicableException.unless(
        capabilities().tokensSurvive().contains(event),
        "This store does not claim that its tokens survive " + event + ".");
  }

  /**
   * Returns when so much time has passed by the store's clock. Waits, unless that clock can be set
   * without any other rule noticing.
   */
  public void elapse(Duration time) {
    if (stepsTheClock()) {
      store.control(ClockControl.class).orElseThrow().stepClock(time);
      return;
    }
    pass(time);
  }

  /** Returns when so much time has passed by our own clock, whatever the store's shows. */
  public static void pass(Duration time) {
    try {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while time was to pass.", e);
    }
  }

  /** Returns whether {@link #elapse} sets the store's clock and takes no time of ours. */
  public boolean stepsTheClock() {
    return has(ClockControl.class) && mayDisturb(ClockControl.class);
  }

  private boolean mayDisturb(Class<?> control) {
    return declares(control) || !shared.contains(control);
  }

  private boolean declares(Class<?> control) {
    return disturbs.stream().anyMatch(control::isAssignableFrom);
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
    throw new NotProvedException("This machine is too slow to show within " + time + ": " + rule);
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable connection : connections) {
      connection.close();
    }
    store.close();
  }
}
