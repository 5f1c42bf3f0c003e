package io.holdfast.jdbc;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The threads of a backend: those that connect, and one that ends calls at their deadline. All end
 * when they have been idle for a while.
 *
 * <p>The timeouts of drivers are no deadlines: they begin anew with every byte that arrives.
 */
final class OwnThreads implements Executor, Watch, AutoCloseable {

  private static final int MOST = 32;
  private static final long IDLE_SECONDS = 10;
  private static final Duration GIVING_BACK_MAX = Duration.ofSeconds(2);
  private static final AtomicInteger BACKENDS = new AtomicInteger();

  private final String name = "holdfast-jdbc-" + BACKENDS.incrementAndGet();
  private final ThreadPoolExecutor workers;
  private final ScheduledThreadPoolExecutor timer;

  OwnThreads() {
    workers =
        new ThreadPoolExecutor(
            0,
            MOST,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemons(name + "-connection"),
            (task, busyOrClosed) -> task.run());
    timer = new ScheduledThreadPoolExecutor(1, daemons(name + "-deadline"));
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
  }

  /**
   * Nothing is inherited from whoever happens to make the first call, its transaction above all.
   */
  static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(null, task, name, 0, false);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Returns what the names of all threads begin with. */
  String name() {
    return name;
  }

  @Override
  public void execute(Runnable task) {
    workers.execute(task);
  }

  @Override
  public Call begin(Deadline deadline, Runnable end) {
    AtomicBoolean decided = new AtomicBoolean();
    Future<?> alarm;
    try {
      alarm =
          timer.schedule(
              () -> {
                if (decided.compareAndSet(false, true)) {
                  execute(end);
                }
              },
              deadline.remaining().toNanos(),
              TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      return () -> true;
    }
    return () -> {
      alarm.cancel(false);
      return decided.compareAndSet(false, true);
    };
  }

  /**
   * Connects on a thread of ours, so that a source that ties connections to the calling thread, to
   * its transaction or to its rights, ties them to none, and one that takes its time holds up
   * nobody beyond the deadline. A connection that comes too late is let go of when it comes.
   *
   * @throws BackendFailure if there is none by the deadline
   */
  Link open(Database database, Deadline deadline) {
    return await(() -> database.open(deadline), deadline, database);
  }

  /** The same to where the tables were found before. */
  Link reopen(Database database, Deadline deadline) {
    return await(() -> database.reopen(deadline), deadline, database);
  }

  private Link await(Supplier<Link> connecting, Deadline deadline, Database database) {
    CompletableFuture<Link> opening = CompletableFuture.supplyAsync(connecting, this);
    try {
      return await(opening, deadline, "a connection to " + database.describe());
    } catch (RuntimeException e) {
      CompletableFuture<Void> unused = opening.thenAccept(this::letGo);
      throw e;
    }
  }

  /** Lets go of a connection, within a bounded time also if the database does not answer. */
  void letGo(Link link) {
    Call call = begin(Deadline.in(GIVING_BACK_MAX), link::abort);
    link.giveBack();
    call.returned();
  }

  /**
   * Waits for what a thread of ours does.
   *
   * @param what it is, for messages
   * @throws BackendFailure if it is not done by the deadline
   */
  static <T> T await(Future<T> future, Deadline deadline, String what) {
    try {
      return future.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new BackendFailure(
          Effect.NONE, "The time for the call was over before there was " + what + ".", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendFailure(Effect.NONE, "Interrupted while waiting for " + what + ".", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("Unexpected while waiting for " + what, e.getCause());
    }
  }

  /** Calls under way are still ended at their deadline; whoever waits for a connection stops. */
  @Override
  public void close() {
    timer.shutdown();
    workers.shutdownNow();
  }
}
