package io.holdfast.memory;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.memory.MemoryOptions.HandOver;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store of locks in this process: the server, so to speak, to which any number of {@link
 * MemoryBackend}s connect. Thread-safe: its state changes in steps under one monitor, and no step
 * does I/O.
 *
 * <p>It can be made to misbehave as real stores do: its clock steps, it starts again, it fails over
 * and loses what was not durable yet.
 */
public final class MemoryStore {

  private static final Map<String, MemoryStore> NAMED = new ConcurrentHashMap<>();

  private final String name;
  private final MemoryOptions options;
  private final Map<SessionId, List<Consumer<LockName>>> listeners = new ConcurrentHashMap<>();

  // Guarded by this store's monitor, as is everything reached from here.
  private MemoryState state;
  private @Nullable MemoryState durable;
  private boolean answersEarly;
  private int incarnation = 1;
  private long clockOffsetMicros;

  /** Makes an empty store; the name is for messages only. */
  public MemoryStore(String name, MemoryOptions options) {
    this.name = name;
    this.options = options;
    this.state = new MemoryState(options.rules(), options.expiry());
  }

  /** Returns the process-wide store of that name, which {@code memory:NAME} means. */
  public static MemoryStore named(String name) {
    return NAMED.computeIfAbsent(name, missing -> new MemoryStore(missing, MemoryOptions.DEFAULTS));
  }

  /** Lets go of the process-wide store of that name: the next client of it finds an empty one. */
  public static void forget(String name) {
    NAMED.remove(name);
  }

  /** Connects a client. */
  public LockBackend connect(BackendOptions backendOptions) {
    return connect(backendOptions, () -> {});
  }

  /**
   * Connects a client with a hook that is called, on the calling thread, before every atomic step
   * of its verbs. An exception of the hook leaves the verb where it is, as if the client had died
   * there.
   */
  public LockBackend connect(BackendOptions backendOptions, Runnable beforeStep) {
    return options.handOver() == HandOver.ONE_STEP
        ? new MemoryBackend(this, backendOptions, beforeStep)
        : new SteppedMemoryBackend(this, backendOptions, beforeStep);
  }

  String describe() {
    return "memory:" + name;
  }

  MemoryOptions options() {
    return options;
  }

  // Changes to a store from outside.

  /** Sets the store's clock forward, or back by a negative duration. */
  public synchronized void stepClock(Duration by) {
    clockOffsetMicros += by.toNanos() / 1000;
  }

  /** Starts the store again, with all of its data: only the clock is a new one. */
  public synchronized void restart() {
    incarnation++;
    notifyAll();
  }

  /**
   * From now on nothing is durable: verbs take effect, but are not answered within their deadlines,
   * and {@link #failOver} takes back what they did.
   */
  public synchronized void stopReplicating() {
    durable = state.copy();
  }

  /** Makes everything durable that was done. */
  public synchronized void startReplicating() {
    durable = null;
    notifyAll();
  }

  /** Lets verbs answer before what they did is durable, as asynchronous replicas do; or not. */
  public synchronized void answerEarly(boolean early) {
    answersEarly = early;
    notifyAll();
  }

  /**
   * Loses what was done since {@link #stopReplicating} and goes on as a new incarnation, which has
   * to assume that grants were lost: it ends all older sessions, and grants nothing until the
   * leases that their holders may believe in have run out.
   */
  public synchronized void failOver() {
    if (durable != null) {
      state = durable;
    }
    newIncarnationThatMayHaveLostGrants();
  }

  /** Loses everything and goes on as a new incarnation. */
  public synchronized void loseEverything() {
    state = new MemoryState(options.rules(), options.expiry());
    newIncarnationThatMayHaveLostGrants();
  }

  /** Loses everything, and has no way to know: as if it had never been used. */
  public synchronized void wipe() {
    state = new MemoryState(options.rules(), options.expiry());
    notifyAll();
  }

  private void newIncarnationThatMayHaveLostGrants() {
    durable = null;
    incarnation++;
    state.mayHaveLostGrants = now();
    if (options.rules().failOverEndsSessions()) {
      List.copyOf(state.sessions.keySet()).forEach(state::end);
    }
    notifyAll();
  }

  // The parts of the verbs.

  /**
   * Does one atomic step, gives a hint to the waiters that it concerns, and returns when the
   * changes that it made and saw cannot be undone any more.
   *
   * @throws BackendFailure if that does not come about within the deadline
   */
  <T> T step(Deadline deadline, Function<MemoryState, T> step) {
    T answer;
    List<RequestKey> hinted;
    int doneIn;
    synchronized (this) {
      doneIn = incarnation;
      state.now = now();
      state.endLapsedSessions();
      answer = step.apply(state);
      hinted = state.takeHinted();
    }
    // Outside the monitor: listeners are foreign code.
    hinted.forEach(this::hint);
    awaitDurable(doneIn, deadline);
    return answer;
  }

  private synchronized void awaitDurable(int doneIn, Deadline deadline) {
    while (doneIn == incarnation
        && durable != null
        && !answersEarly
        && options.rules().answersWhenDurable()) {
      if (deadline.hasPassed()) {
        throw new BackendFailure(
            Effect.UNKNOWN, describe() + " has done it, but it is not durable yet.", null);
      }
      try {
        wait(Math.max(1, deadline.remainingMillis()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BackendFailure(
            Effect.UNKNOWN, "Interrupted while waiting for " + describe() + ".", e);
      }
    }
    if (doneIn != incarnation) {
      throw new BackendFailure(Effect.UNKNOWN, describe() + " was started again meanwhile.", null);
    }
  }

  private Stamp now() {
    return new Stamp(options.clockMicros().getAsLong() + clockOffsetMicros, incarnation);
  }

  AutoCloseable listen(SessionId session, Consumer<LockName> hint) {
    listeners.computeIfAbsent(session, missing -> new CopyOnWriteArrayList<>()).add(hint);
    return () ->
        listeners.computeIfPresent(
            session,
            (id, hints) -> {
              hints.remove(hint);
              return hints.isEmpty() ? null : hints;
            });
  }

  private void hint(RequestKey hinted) {
    listeners
        .getOrDefault(hinted.request().session(), List.of())
        .forEach(hint -> hint.accept(hinted.name()));
  }
}
