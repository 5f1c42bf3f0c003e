package io.holdfast.engine.seam;

import static java.util.Objects.requireNonNull;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The seam on real clocks and a few daemon threads, most of which exist only while needed. */
public final class ThreadedSeam implements Seam {

  /**
   * How many calls may hang past their deadline before those of further callers fail at once. Calls
   * of other runners are bounded by the number of their threads: a heartbeat must not fail because
   * the application's calls hang.
   */
  public static final int HANGING_MAX = 16;

  /** How many calls in the background are under way at a time; further ones wait for a thread. */
  public static final int BACKGROUND_MAX = 24;

  /** How many listeners may be slow before others have to wait. */
  static final int LISTENERS_MAX = 16;

  /** How many signals may be slow, because of what an interrupt sets off, before others wait. */
  static final int SIGNALS_MAX = 16;

  private static final int WATCHES_MAX = 8;

  private static final int OUTCOMES_MAX = 16;

  /** A listener that is so many events behind misses what follows, until it catches up. */
  static final int EVENTS_BEHIND_MAX = 10_000;

  private static final long RETRY_NANOS = 100_000_000;

  private static final Logger log = LoggerFactory.getLogger(ThreadedSeam.class);
  private static final AtomicInteger seams = new AtomicInteger();

  private final String name = "holdfast-" + seams.incrementAndGet();
  private final ScheduledThreadPoolExecutor timers;
  private final ThreadPoolExecutor heartbeats;
  private final ThreadPoolExecutor background;
  private final Tellers tellers;
  private final Tellers signals;
  private final Tellers tellersOfWatches;
  private final Tellers tellersOfOutcomes;
  private final ThreadFactory threads;

  /** The deadline of the call that a thread makes at this moment. */
  private final Map<Thread, Deadline> underWay = new ConcurrentHashMap<>();

  public ThreadedSeam() {
    this(Thread::new);
  }

  /**
   * On threads of one's own making.
   *
   * @param threads makes a thread that was not started, of which this sets name and kind
   */
  public ThreadedSeam(ThreadFactory threads) {
    this.threads = threads;
    timers = new ScheduledThreadPoolExecutor(1, new Daemons("timer"));
    timers.setRemoveOnCancelPolicy(true);
    // A heartbeat finds an idle thread or gets a new one: it never queues behind a call that hangs.
    heartbeats = pool(1, 2 * HANGING_MAX, new SynchronousQueue<>(), "heartbeat");
    background = pool(BACKGROUND_MAX, BACKGROUND_MAX, new LinkedBlockingQueue<>(), "call");
    background.allowCoreThreadTimeOut(true);
    tellers = tellers("listener", LISTENERS_MAX);
    signals = tellers("signal", SIGNALS_MAX);
    tellersOfWatches = tellers("watch", WATCHES_MAX);
    tellersOfOutcomes = tellers("async", OUTCOMES_MAX);
    // No grant may be lost because a process has no room for further threads.
    try {
      timers.prestartCoreThread();
      heartbeats.prestartCoreThread();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private ThreadPoolExecutor pool(int core, int limit, BlockingQueue<Runnable> queue, String role) {
    return new ThreadPoolExecutor(core, limit, 10, TimeUnit.SECONDS, queue, new Daemons(role));
  }

  /** Makes the threads of one role. */
  private final class Daemons implements ThreadFactory {
    private final String role;

    Daemons(String role) {
      this.role = role;
    }

    @Override
    public Thread newThread(Runnable task) {
      Thread thread = threads.newThread(task);
      thread.setName(name + "-" + role);
      thread.setDaemon(true);
      return thread;
    }
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public Timer after(long delayNanos, Runnable task) {
    try {
      Future<?> future =
          timers.schedule(new Guarded("a timer", task), delayNanos, TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException closed) {
      return Timer.NONE;
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
      T value;
      try {
        value = callHere(timeout, verb);
      } catch (RuntimeException failure) {
        onFailure.accept(failure);
        return;
      }
      onValue.accept(value);
      return;
    }
    UnderWay call = new UnderWay();
    Timer giveUp = after(withMargin(timeout), () -> giveUp(call, timeout, onFailure));
    Runnable run =
        () -> {
          if (call.begin(timeout)) {
            make(call, giveUp, verb, onValue, onFailure);
          }
        };
    // A thread may have found the call all the same, or finds it yet: then that thread tells.
    if (!handOver(runner == Runner.HEARTBEAT ? heartbeats : background, new Guarded("a call", run))
        && call.begin(timeout)
        && call.answer()) {
      giveUp.cancel();
      onFailure.accept(new BackendFailure(Effect.NONE, "No thread is free for the call", null));
    }
  }

  /** False if no thread will ever run the task: then its failure has to be told here. */
  private static boolean handOver(ThreadPoolExecutor pool, Runnable task) {
    try {
      pool.execute(task);
      return true;
    } catch (RejectedExecutionException closedOrFull) {
      return false;
    } catch (Error noMoreThreads) {
      // One that is there already may take it; if it ends just now, the call is given up in time.
      return pool.getPoolSize() > 0 && pool.getQueue().offer(task);
    }
  }

  @Override
  public <T> T callHere(Duration timeout, Verb<T> verb) {
    if (tooManyHang()) {
      throw new BackendFailure(
          Effect.NONE,
          HANGING_MAX + " calls to the store hang past their deadline; no more are made",
          null);
    }
    Deadline deadline = Deadline.in(timeout);
    // Some drivers fail at once on a thread whose interrupt flag is set, also in a release.
    Thread caller = Thread.currentThread();
    InterruptsAside interrupts = caller.isInterrupted() ? new InterruptsAside() : null;
    underWay.put(caller, deadline);
    try {
      return verb.call(deadline);
    } catch (Throwable e) {
      // Any exception is answered: a checked one comes from other languages' code.
      throw e instanceof RuntimeException failure ? failure : died(e);
    } finally {
      underWay.remove(caller, deadline);
      if (interrupts != null) {
        interrupts.putBack();
      }
    }
  }

  private static IllegalStateException died(Throwable error) {
    return new IllegalStateException("The adapter died of " + error, error);
  }

  private <T> void make(
      UnderWay call,
      Timer giveUp,
      Verb<T> verb,
      Consumer<T> onValue,
      Consumer<RuntimeException> onFailure) {
    T value;
    Thread caller = Thread.currentThread();
    underWay.put(caller, call.deadline());
    try {
      value = verb.call(call.deadline());
    } catch (Throwable e) {
      // Any failure is answered: a heartbeat that is not answered is the last.
      if (call.answer()) {
        onFailure.accept(e instanceof RuntimeException failure ? failure : died(e));
      }
      return;
    } finally {
      underWay.remove(caller, call.deadline());
      giveUp.cancel();
    }
    if (call.answer()) {
      onValue.accept(value);
    }
  }

  /** The time beyond the deadline is for a driver that is just about to tell more precisely. */
  private static long withMargin(Duration timeout) {
    return timeout.toNanos() + timeout.toNanos() / 8;
  }

  private void giveUp(UnderWay call, Duration timeout, Consumer<RuntimeException> onFailure) {
    boolean neverBegun = call.begin(timeout);
    if (!neverBegun && !call.deadline().hasPassed()) {
      // It had to wait for a thread; its time has begun later.
      Timer unused = after(withMargin(timeout), () -> giveUp(call, timeout, onFailure));
      return;
    }
    if (call.answer()) {
      BackendFailure failure =
          neverBegun
              ? new BackendFailure(Effect.NONE, "No thread was free for it in " + timeout, null)
              : new BackendFailure(Effect.UNKNOWN, "No answer within " + timeout, null);
      onFailure.accept(failure);
    }
  }

  private boolean tooManyHang() {
    return underWay.size() >= HANGING_MAX
        && underWay.values().stream().filter(Deadline::hasPassed).count() >= HANGING_MAX;
  }

  @Override
  public void tell(Object listener, Runnable notification) {
    tellers.tell(listener, logged(notification));
  }

  @Override
  public void signal(Object whom, Runnable signal) {
    signals.tell(whom, logged(signal));
  }

  @Override
  public void tellOfEvent(Object listener, Runnable notification) {
    tellers.tell(listener, logged(notification), EVENTS_BEHIND_MAX);
  }

  @Override
  public void tellOfOutcome(Object acquire, Runnable notification) {
    tellersOfOutcomes.tell(acquire, logged(notification));
  }

  @Override
  public void tellOfWatch(Object listener, Runnable notification) {
    tellersOfWatches.tell(listener, logged(notification));
  }

  private Tellers tellers(String what, int threadsMax) {
    return new Tellers(
        new Daemons(what),
        threadsMax,
        task -> {
          Timer unused = after(RETRY_NANOS, task);
        });
  }

  private Runnable logged(Runnable notification) {
    return () -> {
      try {
        notification.run();
      } catch (Throwable e) { // Languages that do not check exceptions throw any.
        SafeLog.error(log, "Unexpected failure in a listener", e);
      }
    };
  }

  @Override
  public <T> T await(CompletableFuture<T> future, Duration timeout)
      throws InterruptedException, TimeoutException {
    try {
      return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public Timer onExit(Runnable task) {
    Thread hook = new Thread(new Guarded("the exit hook", task), name + "-exit");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException exiting) {
      return Timer.NONE;
    }
    return () -> {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException exiting) {
        log.trace("The JVM is exiting: the hook runs", exiting);
      }
    };
  }

  @Override
  public void close() {
    timers.shutdownNow();
    heartbeats.shutdownNow();
    background.shutdownNow();
    signals.close();
    tellers.close();
    tellersOfWatches.close();
    tellersOfOutcomes.close();
  }

  /** A task of the engine's, whose failure is logged. */
  private final class Guarded implements Runnable {
    private final String what;
    private final Runnable task;

    Guarded(String what, Runnable task) {
      this.what = what;
      this.task = task;
    }

    @Override
    public void run() {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        tellOfEvent(log, () -> log.error("Unexpected failure in {}", what, e));
      }
    }
  }

  /** A call that is made on another thread than the one that asks. */
  private static final class UnderWay {
    private final AtomicReference<@Nullable Deadline> begun = new AtomicReference<>();
    private final AtomicBoolean answered = new AtomicBoolean();

    /** True for the first who begins it, or who makes sure that it never begins. */
    boolean begin(Duration timeout) {
      return begun.compareAndSet(null, Deadline.in(timeout));
    }

    Deadline deadline() {
      return requireNonNull(begun.get());
    }

    /** True for the first who wants to answer it. */
    boolean answer() {
      return answered.compareAndSet(false, true);
    }
  }
}
