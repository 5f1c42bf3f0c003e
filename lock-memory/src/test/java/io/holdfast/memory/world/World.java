package io.holdfast.memory.world;

import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.engine.EngineClient;
import io.holdfast.engine.seam.Seam;
import io.holdfast.engine.turn.EngineSettings;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Request;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.SessionSpec;
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
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/** A store in memory and the processes that use it, all in virtual time. */
public final class World {

  public static final Duration TTL = Duration.ofSeconds(15);

  /** What is between an engine and its seam: nothing, unless a mutant is to be shown. */
  public static final ThreadLocal<UnaryOperator<Seam>> MISTAKE =
      ThreadLocal.withInitial(UnaryOperator::identity);

  public final VirtualTime time = new VirtualTime();
  public final MemoryStore store;
  private final BackendOptions options;
  private int processes;

  public World(Wakeup wakeup) {
    this(wakeup, NamespaceSettings.MAX_CLOCK_STEP_DEFAULT);
  }

  public World(Wakeup wakeup, int queueMax) {
    this(
        NamespaceSettings.MAX_CLOCK_STEP_DEFAULT,
        MemoryOptions.DEFAULTS.wakeup(wakeup).queueMax(queueMax));
  }

  public World(Wakeup wakeup, Duration maxClockStep) {
    this(maxClockStep, MemoryOptions.DEFAULTS.wakeup(wakeup));
  }

  private World(Duration maxClockStep, MemoryOptions storeOptions) {
    options =
        new BackendOptions(
            new NamespaceWish(OptionalInt.empty(), Optional.empty(), Optional.of(maxClockStep)),
            RestartGuard.ON);
    // The store's clock and the processes' are the same but for what a test does to them.
    store =
        new MemoryStore(
            "world", storeOptions.clockMicros(() -> 1_700_000_000_000_000L + time.nanos() / 1000));
  }

  /** One process. */
  public final class Peer {
    public final VirtualSeam seam = new VirtualSeam(time);
    public final List<LockEvent> events = new ArrayList<>();
    public final List<String> calls = new ArrayList<>();
    public final LockClient client;

    /** What happens to each call on its way; replaced by tests. */
    public Network network = Sent::pass;

    /** The partition of each lock; replaced by tests. */
    public ToIntFunction<LockName> partition = name -> 0;

    public Peer(double clockRate, double clockRateBound) {
      this(TTL, Optional.empty(), false, clockRateBound, "");
      seam.clockRate(clockRate);
    }

    public Peer(Duration ttl, Optional<Duration> grace, boolean releaseOnExit) {
      this(ttl, grace, releaseOnExit, 0.01, "");
    }

    public Peer(String namePrefix) {
      this(TTL, Optional.empty(), false, 0.01, namePrefix);
    }

    private Peer(
        Duration ttl,
        Optional<Duration> grace,
        boolean releaseOnExit,
        double bound,
        String namePrefix) {
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
                  namePrefix,
                  releaseOnExit,
                  List.of(events::add),
                  task -> time.after(0, task)));
    }

    private LockBackend wrap(LockBackend backend) {
      return (LockBackend)
          Proxy.newProxyInstance(
              World.class.getClassLoader(),
              new Class<?>[] {LockBackend.class, ResumableSessions.class},
              (proxy, method, args) -> {
                Function<Object[], Object> call = given -> invoke(backend, method, given);
                if (method.getParameterCount() == 0) {
                  return call.apply(args);
                }
                if (method.getName().equals("partition")) {
                  return partition.applyAsInt((LockName) args[0]);
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

    public long count(String verb) {
      return calls.stream().filter(verb::equals).count();
    }
  }

  /** Does something when so much time has passed. */
  public void after(Duration delay, Runnable task) {
    time.after(delay.toNanos(), task);
  }

  /** What a process reaches that has died. */
  public static Network dead() {
    return sent -> {
      throw new VirtualSeam.Hang();
    };
  }

  /** What a process finds where no server runs. */
  public static Network down() {
    return sent -> {
      throw unreachable();
    };
  }

  /** Carries a call, or does not. */
  public interface Network {
    Object carry(Sent sent);

    /** What does this to calls of these verbs, and carries all others. */
    default Network on(String... verbs) {
      return where(sent -> sent.is(verbs));
    }

    /** What does this to such calls, and carries all others. */
    default Network where(Predicate<Sent> such) {
      return sent -> such.test(sent) ? carry(sent) : sent.pass();
    }
  }

  /** A call on its way. */
  public record Sent(String verb, List<Object> args, Function<Object[], Object> call) {
    public Object pass() {
      return call.apply(args.toArray());
    }

    /** Arrives, as a late copy: long after its sender's deadline. */
    public void arrive() {
      List<Object> late = new ArrayList<>(args);
      late.set(args.size() - 1, Deadline.in(World.TTL));
      Object unheard = call.apply(late.toArray());
      assert unheard != null;
    }

    public boolean is(String... verbs) {
      return List.of(verbs).contains(verb);
    }
  }

  /** So many processes ask for a lock, one after the other, and are never heard of again. */
  public void joinAndDie(String lock, int count) {
    askAndDie(lock, LockMode.EXCLUSIVE, count);
  }

  /** So many processes share a lock, and are never heard of again. */
  public void shareAndDie(String lock, int count) {
    askAndDie(lock, LockMode.SHARED, count);
  }

  private void askAndDie(String lock, LockMode mode, int count) {
    Deadline deadline = Deadline.in(TTL);
    LockBackend backend = store.connect(options);
    for (int i = 0; i < count; i++) {
      ProcessIdentity process = new ProcessIdentity("dead-" + i);
      SessionId session = SessionId.fresh();
      RequestId id = new RequestId(session, 1);
      backend.open(new SessionSpec(session, TTL, 0, process), deadline);
      backend.grab(Request.of(new LockName(lock), id, process).with(mode), deadline);
    }
  }

  /** Requests of one session that waits for long; returns what takes each out of its queue. */
  public List<Runnable> join(String lock, int count) {
    Deadline deadline = Deadline.in(TTL);
    LockBackend backend = store.connect(options);
    ProcessIdentity process = new ProcessIdentity("others");
    SessionId session = SessionId.fresh();
    LockName name = new LockName(lock);
    backend.open(new SessionSpec(session, Duration.ofSeconds(60), 0, process), deadline);
    List<Runnable> leaves = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      RequestId id = new RequestId(session, i);
      backend.grab(Request.of(name, id, process), deadline);
      leaves.add(() -> backend.release(name, id, Deadline.in(TTL)));
    }
    return leaves;
  }

  public Peer process() {
    return new Peer(TTL, Optional.empty(), false);
  }

  public static BackendFailure unreachable() {
    return new BackendFailure(Effect.NONE, "the network is down", null);
  }

  public static BackendFailure answerLost() {
    return new BackendFailure(Effect.UNKNOWN, "the answer was lost", null);
  }
}
