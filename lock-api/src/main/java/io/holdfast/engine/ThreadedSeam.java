package io.holdfast.engine;

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
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The seam on real clocks and a few daemon threads, most of which exist only while needed. */
final class ThreadedSeam implements Seam {

  /** How many calls may hang past their deadline before further ones fail at once. */
  static final int HANGING_MAX = 16;

  private static final Logger log = LoggerFactory.getLogger(ThreadedSeam.class);
  private static final AtomicInteger seams = new AtomicInteger();

  private final String name = "holdfast-" + seams.incrementAndGet();
  private final ScheduledThreadPoolExecutor timers;
  private final ThreadPoolExecutor heartbeats;
  private final ThreadPoolExecutor background;
  private final ThreadPoolExecutor listeners;
  private final Set<UnderWay> underWay = ConcurrentHashMap.newKeySet();

  ThreadedSeam() {
    timers = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "timer"));
    timers.setRemoveOnCancelPolicy(true);
    // A heartbeat finds an idle thread or gets a new one: it never queues behind a call that hangs.
    heartbeats = pool(0, 2 * HANGING_MAX, new SynchronousQueue<>(), "heartbeat");
    background = pool(HANGING_MAX, HANGING_MAX, new LinkedBlockingQueue<>(), "call");
    listeners = pool(1, 1, new LinkedBlockingQueue<>(), "listener");
  }

  private ThreadPoolExecutor pool(int core, int most, BlockingQueue<Runnable> queue, String role) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(core, most, 10, TimeUnit.SECONDS, queue, task -> daemon(task, role));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private Thread daemon(Runnable task, String role) {
    Thread thread = new Thread(task, name + "-" + role);
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
    if (tooManyHang()) {
      onFailure.accept(
          new BackendFailure(
              Effect.NONE,
              HANGING_MAX + " calls to the store hang past their deadline; no more are made",
              null));
      return;
    }
    UnderWay call = new UnderWay();
    Runnable run = () -> make(call, lane, timeout, verb, onValue, onFailure);
    if (lane == Lane.CALLER) {
      // Some drivers fail at once on a thread whose interrupt flag is set, also in a release.
      boolean interrupted = Thread.interrupted();
      try {
        run.run();
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
      return;
    }
    try {
      (lane == Lane.HEARTBEAT ? heartbeats : background).execute(guarded("a call", run));
    } catch (RejectedExecutionException e) {
      onFailure.accept(new BackendFailure(Effect.NONE, "No thread is left for the call", e));
    }
  }

  private <T> void make(
      UnderWay call,
      Lane lane,
      Duration timeout,
      Verb<T> verb,
      Consumer<T> onValue,
      Consumer<RuntimeException> onFailure) {
    Deadline deadline = Deadline.in(timeout);
    call.begin(deadline);
    underWay.add(call);
    Timer giveUp = lane == Lane.CALLER ? () -> {} : giveUp(call, timeout, onFailure);
    T value;
    try {
      value = verb.call(deadline);
    } catch (RuntimeException e) {
      underWay.remove(call);
      giveUp.cancel();
      if (call.answer()) {
        onFailure.accept(e);
      }
      return;
    }
    underWay.remove(call);
    giveUp.cancel();
    if (call.answer()) {
      onValue.accept(value);
    }
  }

  /** The time beyond the deadline is for a driver that is just about to tell more precisely. */
  private Timer giveUp(UnderWay call, Duration timeout, Consumer<RuntimeException> onFailure) {
    return after(
        timeout.toNanos() + timeout.toNanos() / 8,
        () -> {
          if (call.answer()) {
            // Off the timer's thread: what follows a failure may be more than a timer should do.
            background.execute(
                guarded(
                    "a failure",
                    () ->
                        onFailure.accept(
                            new BackendFailure(
                                Effect.UNKNOWN, "No answer within " + timeout, null))));
          }
        });
  }

  private boolean tooManyHang() {
    return underWay.size() >= HANGING_MAX
        && underWay.stream().filter(UnderWay::isOverdue).count() >= HANGING_MAX;
  }

  @Override
  public void tell(Runnable notification) {
    try {
      listeners.execute(guarded("a listener", notification));
    } catch (RejectedExecutionException closed) {
      notification.run();
    }
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
    listeners.shutdown();
  }

  private static Runnable guarded(String what, Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        log.error("Unexpected failure in {}", what, e);
      }
    };
  }

  /** A call that has not returned. */
  private static final class UnderWay {
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile @Nullable Deadline deadline;

    void begin(Deadline deadline) {
      this.deadline = deadline;
    }

    /** True for the first who wants to answer it. */
    boolean answer() {
      return answered.compareAndSet(false, true);
    }

    boolean isOverdue() {
      Deadline set = deadline;
      return set != null && set.hasPassed();
    }
  }
}
