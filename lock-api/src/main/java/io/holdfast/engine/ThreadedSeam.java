package io.holdfast.engine;

import static java.util.Objects.requireNonNull;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.Set;
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
final class ThreadedSeam implements Seam {

  /**
   * How many calls may hang past their deadline before those of further callers fail at once. Calls
   * in the other lanes are bounded by the threads there are for them: a heartbeat must not fail
   * because the application's calls hang.
   */
  static final int HANGING_MAX = 16;

  private static final long RETRY_NANOS = 100_000_000;

  private static final Logger log = LoggerFactory.getLogger(ThreadedSeam.class);
  private static final AtomicInteger seams = new AtomicInteger();

  private final String name = "holdfast-" + seams.incrementAndGet();
  private final ScheduledThreadPoolExecutor timers;
  private final ThreadPoolExecutor heartbeats;
  private final ThreadPoolExecutor background;
  private final Tellers tellers;
  private final ThreadFactory threads;
  private final Set<UnderWay> underWay = ConcurrentHashMap.newKeySet();

  ThreadedSeam() {
    this(Thread::new);
  }

  /**
   * On threads of one's own making.
   *
   * @param threads makes a thread that was not started, of which this sets name and kind
   */
  ThreadedSeam(ThreadFactory threads) {
    this.threads = threads;
    timers = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "timer"));
    timers.setRemoveOnCancelPolicy(true);
    // A heartbeat finds an idle thread or gets a new one: it never queues behind a call that hangs.
    heartbeats = pool(1, 2 * HANGING_MAX, new SynchronousQueue<>(), "heartbeat");
    background = pool(HANGING_MAX, HANGING_MAX, new LinkedBlockingQueue<>(), "call");
    background.allowCoreThreadTimeOut(true);
    tellers =
        new Tellers(
            task -> daemon(task, "listener"),
            task -> {
              Timer unused = after(RETRY_NANOS, task);
            });
    // What is held must not be lost because a process has no room for further threads.
    timers.prestartCoreThread();
    heartbeats.prestartCoreThread();
  }

  private ThreadPoolExecutor pool(int core, int most, BlockingQueue<Runnable> queue, String role) {
    return new ThreadPoolExecutor(
        core, most, 10, TimeUnit.SECONDS, queue, task -> daemon(task, role));
  }

  private Thread daemon(Runnable task, String role) {
    Thread thread = threads.newThread(task);
    thread.setName(name + "-" + role);
    thread.setDaemon(true);
    return thread;
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
          timers.schedule(guarded("a timer", task), delayNanos, TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException closed) {
      return () -> {};
    }
  }

  @Override
  public <T> void call(
      Lane lane,
      Duration timeout,
      Verb<T> verb,
      Consumer<T> onValue,
      Consumer<RuntimeException> onFailure) {
    if (lane == Lane.CALLER && tooManyHang()) {
      onFailure.accept(
          new BackendFailure(
              Effect.NONE,
              HANGING_MAX + " calls to the store hang past their deadline; no more are made",
              null));
      return;
    }
    if (lane == Lane.CALLER) {
      callHere(timeout, verb, onValue, onFailure);
      return;
    }
    UnderWay call = new UnderWay();
    Timer giveUp = after(patience(timeout), () -> giveUp(call, timeout, onFailure));
    Runnable run =
        () -> {
          if (call.begin(timeout)) {
            make(call, giveUp, verb, onValue, onFailure);
          }
        };
    if (!handOver(lane == Lane.HEARTBEAT ? heartbeats : background, guarded("a call", run))
        && call.answer()) {
      giveUp.cancel();
      onFailure.accept(
          new BackendFailure(Effect.NONE, "No thread is to be had for the call", null));
    }
  }

  /** False if no thread will ever run the task: then whoever waits for it has to be told. */
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

  private <T> void callHere(
      Duration timeout, Verb<T> verb, Consumer<T> onValue, Consumer<RuntimeException> onFailure) {
    UnderWay call = new UnderWay();
    boolean begun = call.begin(timeout);
    assert begun;
    // Some drivers fail at once on a thread whose interrupt flag is set, also in a release.
    boolean interrupted = Thread.interrupted();
    try {
      make(call, () -> {}, verb, onValue, onFailure);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private <T> void make(
      UnderWay call,
      Timer giveUp,
      Verb<T> verb,
      Consumer<T> onValue,
      Consumer<RuntimeException> onFailure) {
    T value;
    underWay.add(call);
    try {
      value = verb.call(call.deadline());
    } catch (Throwable e) {
      // Whatever it is, somebody waits for the answer: a heartbeat that is not answered is the
      // last.
      if (call.answer()) {
        onFailure.accept(
            e instanceof RuntimeException failure
                ? failure
                : new IllegalStateException("The adapter died of " + e, e));
      }
      return;
    } finally {
      underWay.remove(call);
      giveUp.cancel();
    }
    if (call.answer()) {
      onValue.accept(value);
    }
  }

  /** The time beyond the deadline is for a driver that is just about to tell more precisely. */
  private static long patience(Duration timeout) {
    return timeout.toNanos() + timeout.toNanos() / 8;
  }

  private void giveUp(UnderWay call, Duration timeout, Consumer<RuntimeException> onFailure) {
    boolean neverBegun = call.begin(timeout);
    if (!neverBegun && !call.deadline().hasPassed()) {
      // It had to wait for a thread; its time has begun later.
      Timer unused = after(patience(timeout), () -> giveUp(call, timeout, onFailure));
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
        && underWay.stream().filter(UnderWay::isOverdue).count() >= HANGING_MAX;
  }

  @Override
  public void tell(Object listener, Runnable notification) {
    tellers.tell(
        listener,
        () -> {
          try {
            notification.run();
          } catch (RuntimeException | Error e) {
            log.error("Unexpected failure in a listener", e);
          }
        });
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
    Thread hook = new Thread(guarded("the exit hook", task), name + "-exit");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException exiting) {
      return () -> {};
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
    tellers.close();
  }

  private Runnable guarded(String what, Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        tell(log, () -> log.error("Unexpected failure in {}", what, e));
      }
    };
  }

  /** A call that has not returned. */
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

    boolean isOverdue() {
      return deadline().hasPassed();
    }
  }
}
