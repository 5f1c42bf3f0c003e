package io.holdfast.tck.engine;

import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.ProcessIdentity;
import io.holdfast.engine.EngineClient;
import io.holdfast.engine.EngineSettings;
import io.holdfast.engine.Seam;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.tck.memory.MemoryOptions;
import io.holdfast.tck.memory.MemoryStore;
import io.holdfast.tck.time.VirtualSeam;
import io.holdfast.tck.time.VirtualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A store in memory and the processes that use it, all in virtual time. */
final class World {

  static final Duration TTL = Duration.ofSeconds(15);

  /** What is between an engine and its seam: nothing, unless a mutant is to be shown. */
  static final ThreadLocal<UnaryOperator<Seam>> MISTAKE =
      ThreadLocal.withInitial(UnaryOperator::identity);

  final VirtualTime time = new VirtualTime();
  final MemoryStore store;
  private final BackendOptions options;
  private int processes;

  World(Wakeup wakeup) {
    this(wakeup, NamespaceSettings.MAX_CLOCK_STEP_DEFAULT);
  }

  World(Wakeup wakeup, Duration maxClockStep) {
    options =
        new BackendOptions(
            new NamespaceWish(OptionalInt.empty(), Optional.empty(), Optional.of(maxClockStep)),
            RestartGuard.ON);
    // The store's clock and the processes' are the same but for what a test does to them.
    store =
        new MemoryStore(
            "world",
            MemoryOptions.DEFAULTS
                .wakeup(wakeup)
                .clockMicros(() -> 1_700_000_000_000_000L + time.nanos() / 1000));
  }

  /** One process. */
  final class Peer {
    final VirtualSeam seam = new VirtualSeam(time);
    final List<LockEvent> events = new ArrayList<>();
    final List<String> calls = new ArrayList<>();
    final LockClient client;

    /** What happens to each call on its way; replaced by tests. */
    Network network = Sent::pass;

    Peer(double clockRate, double clockRateBound) {
      this(TTL, Optional.empty(), false, clockRateBound);
      seam.clockRate(clockRate);
    }

    Peer(Duration ttl, Optional<Duration> grace, boolean releaseOnExit) {
      this(ttl, grace, releaseOnExit, 0.01);
    }

    private Peer(Duration ttl, Optional<Duration> grace, boolean releaseOnExit, double bound) {
      client =
          EngineClient.on(
              MISTAKE.get().apply(seam),
              wrap(store.connect(options)),
              new EngineSettings(
                  new ProcessIdentity("process-" + ++processes),
                  ttl,
                  Optional.empty(),
                  grace,
                  bound,
                  "",
                  releaseOnExit,
                  List.of(events::add)));
    }

    private LockBackend wrap(LockBackend backend) {
      return (LockBackend)
          Proxy.newProxyInstance(
              World.class.getClassLoader(),
              new Class<?>[] {LockBackend.class},
              (proxy, method, args) -> {
                Function<Object[], Object> call = given -> invoke(backend, method, given);
                if (method.getParameterCount() == 0 || method.getName().equals("partition")) {
                  return call.apply(args);
                }
                calls.add(method.getName());
                return network.carry(new Sent(method.getName(), List.of(args), call));
              });
    }

    private Object invoke(LockBackend backend, Method method, Object[] args) {
      try {
        return method.invoke(backend, args);
      } catch (InvocationTargetException e) {
        if (e.getCause() instanceof RuntimeException failure) {
          throw failure;
        }
        throw new IllegalStateException(e);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }

    long count(String verb) {
      return calls.stream().filter(verb::equals).count();
    }
  }

  /** Carries a call, or does not. */
  interface Network {
    Object carry(Sent sent);
  }

  /** A call on its way. */
  record Sent(String verb, List<Object> args, Function<Object[], Object> call) {
    Object pass() {
      return call.apply(args.toArray());
    }

    /** Arrives, as a late copy: long after its sender's deadline. */
    void arrive() {
      List<Object> late = new ArrayList<>(args);
      late.set(args.size() - 1, Deadline.in(World.TTL));
      Object unheard = call.apply(late.toArray());
      assert unheard != null;
    }

    boolean is(String... verbs) {
      return List.of(verbs).contains(verb);
    }
  }

  Peer process() {
    return new Peer(TTL, Optional.empty(), false);
  }

  static BackendFailure unreachable() {
    return new BackendFailure(Effect.NONE, "the network is down", null);
  }

  static BackendFailure answerLost() {
    return new BackendFailure(Effect.UNKNOWN, "the answer was lost", null);
  }
}
