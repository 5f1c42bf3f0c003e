package io.holdfast.tck.time;

import io.holdfast.engine.seam.Seam;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * One process on {@link VirtualTime}: its clocks, its calls, its sleep. Calls that do not run on
 * the caller's thread take a settable time there and back.
 */
public final class VirtualSeam implements Seam {

  private final VirtualTime time;
  private final List<Runnable> exitHooks = new ArrayList<>();
  private double clockRate = 1;
  private Duration latency = Duration.ZERO;
  private long asleepNanos;
  private long wallStepMillis;
  private final List<Runnable> postponed = new ArrayList<>();
  private boolean asleep;
  private boolean closed;

  /** Makes a process at that time. */
  public VirtualSeam(VirtualTime time) {
    this.time = time;
  }

  /**
   * Makes this machine's monotonic clock go faster (above 1) or slower than the store's; its wall
   * clock with it. To be called before the clock is used.
   */
  public void clockRate(double rate) {
    clockRate = rate;
  }

  /** Sets how long a call takes on its way to the store, and its answer back. */
  public void latency(Duration oneWay) {
    latency = oneWay;
  }

  /**
   * The machine sleeps while time goes on for others: its monotonic clock stands still, its wall
   * clock does not, and its timers fire after it woke.
   */
  public void sleep(Duration length) {
    asleep = true;
    long fellAsleep = time.nanos();
    time.advance(length);
    asleep = false;
    asleepNanos += time.nanos() - fellAsleep;
    wallStepMillis += length.toMillis();
    postponed.forEach(task -> time.after(0, task));
    postponed.clear();
  }

  /** This machine's wall clock was set. */
  public void stepWallClock(Duration by) {
    wallStepMillis += by.toMillis();
  }

  /** Runs what was to be run when the JVM exits. */
  public void exit() {
    List.copyOf(exitHooks).forEach(Runnable::run);
  }

  @Override
  public long nanos() {
    return (long) ((time.nanos() - asleepNanos) * clockRate);
  }

  @Override
  public long wallMillis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos()) + wallStepMillis;
  }

  @Override
  public Timer after(long delayNanos, Runnable task) {
    // Rounded up: a timer that fired before its time would be set again at the same time for ever.
    long delay = (long) Math.ceil(delayNanos / clockRate);
    Runnable takeBack = time.after(delay, () -> fire(task));
    return takeBack::run;
  }

  private void fire(Runnable task) {
    if (asleep) {
      postponed.add(() -> fire(task));
    } else if (!closed) {
      task.run();
    }
  }

  @Override
  public <T> void call(
      Runner runner,
      Duration timeout,
      Verb<T> verb,
      Consumer<T> onValue,
      Consumer<RuntimeException> onFailure) {
    if (runner == Runner.CALLER) {
      make(timeout, verb, onValue, onFailure);
    } else {
      after(latency.toNanos(), () -> make(timeout, verb, later(onValue), later(onFailure)));
    }
  }

  @Override
  public <T> T callHere(Duration timeout, Verb<T> verb) {
    try {
      return verb.call(Deadline.in(timeout, this::nanos));
    } catch (Hang hang) {
      time.advance(timeout);
      throw new BackendFailure(Effect.UNKNOWN, "No answer", hang);
    }
  }

  private <T> Consumer<T> later(Consumer<T> consumer) {
    return value -> after(latency.toNanos(), () -> consumer.accept(value));
  }

  private <T> void make(
      Duration timeout, Verb<T> verb, Consumer<T> onValue, Consumer<RuntimeException> onFailure) {
    T value;
    try {
      value = verb.call(Deadline.in(timeout, this::nanos));
    } catch (Hang hang) {
      after(
          timeout.toNanos(),
          () -> onFailure.accept(new BackendFailure(Effect.UNKNOWN, "No answer", hang)));
      return;
    } catch (RuntimeException e) {
      onFailure.accept(e);
      return;
    }
    onValue.accept(value);
  }

  /**
   * Thrown by a faulty backend in virtual time, where nothing can block: the call never answers.
   */
  public static final class Hang extends RuntimeException {
    /** Makes the signal. */
    public Hang() {
      super("hangs", null, false, false);
    }
  }

  @Override
  public void tell(Object listener, Runnable notification) {
    Runnable unused = time.after(0, () -> notifyWhenAwake(notification));
  }

  /** Also after the process has closed the seam: its listeners are told what was to be told. */
  private void notifyWhenAwake(Runnable notification) {
    if (asleep) {
      postponed.add(() -> notifyWhenAwake(notification));
    } else {
      notification.run();
    }
  }

  @Override
  public <T> T await(CompletableFuture<T> future, Duration timeout)
      throws InterruptedException, TimeoutException {
    Duration limit = timeout.compareTo(Duration.ofDays(1000)) > 0 ? Duration.ofDays(1000) : timeout;
    boolean done =
        time.runUntil(() -> future.isDone() || Thread.currentThread().isInterrupted(), limit);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (!done) {
      throw new TimeoutException();
    }
    return future.join();
  }

  @Override
  public Timer onExit(Runnable task) {
    exitHooks.add(task);
    return () -> exitHooks.remove(task);
  }

  @Override
  public void close() {
    closed = true;
  }
}
