package io.holdfast.jdbc.connections;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The threads of a backend: those that connect, and one that ends calls at their deadline. All end
 * when they have been idle for a while.
 *
 * <p>The timeouts of drivers are no deadlines: they start again with every byte that arrives.
 */
public final class BackendThreads implements Executor, DeadlineTimer, AutoCloseable {

  private static final int LIMIT = 32;
  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final Duration GIVING_BACK_MAX = Duration.ofSeconds(2);
  private static final AtomicInteger BACKENDS = new AtomicInteger();

  private final String name = "holdfast-jdbc-" + BACKENDS.incrementAndGet();
  private final ThreadPoolExecutor workers;
  private final DeadlineSweeper sweeper;

  public BackendThreads() {
    this(BackendThreads::daemons);
  }

  /**
   * On threads of one's own making.
   *
   * @param factories makes threads that have a name
   */
  public BackendThreads(Function<String, ThreadFactory> factories) {
    workers =
        new ThreadPoolExecutor(
            0,
            LIMIT,
            IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            factories.apply(name + "-connection"),
            (task, busyOrClosed) -> task.run());
    sweeper = new DeadlineSweeper(factories.apply(name + "-deadline"), this, IDLE);
  }

  /**
   * The threads inherit nothing from the thread that makes the first call, above all not its
   * transaction.
   */
  public static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(null, task, name, 0, false);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Returns the prefix of the names of all threads. */
  public String name() {
    return name;
  }

  @Override
  public void execute(Runnable task) {
    workers.execute(task);
  }

  @Override
  public Call start(Deadline deadline, Runnable end) {
    return sweeper.start(deadline, end);
  }

  /**
   * Connects on one of these threads. A source may bind a connection to the calling thread, its
   * transaction or its permissions; here there are none. A slow source delays the caller only until
   * the deadline. A connection that arrives later is given back when it arrives.
   *
   * @throws BackendFailure if there is none by the deadline
   */
  public DatabaseConnection open(Database database, Deadline deadline) {
    return await(() -> database.open(deadline), deadline, database);
  }

  /** Connects like {@link #open}, to a database whose tables were checked before. */
  public DatabaseConnection reopen(Database database, Deadline deadline) {
    return await(() -> database.reopen(deadline), deadline, database);
  }

  private DatabaseConnection await(
      Supplier<DatabaseConnection> connecting, Deadline deadline, Database database) {
    CompletableFuture<DatabaseConnection> opening = CompletableFuture.supplyAsync(connecting, this);
    try {
      return await(opening, deadline, "a connection to " + database.describe());
    } catch (RuntimeException e) {
      CompletableFuture<Void> unused = opening.thenAccept(this::giveBack);
      throw e;
    }
  }

  /** Gives a connection back, within a bounded time even if the database does not answer. */
  public void giveBack(DatabaseConnection connection) {
    Call call;
    try {
      call = start(Deadline.in(GIVING_BACK_MAX), connection::abort);
    } catch (RuntimeException | Error e) {
      connection.discard(); // Restoring it might hang, and nothing would end that.
      throw e;
    }
    connection.giveBack();
    call.returned();
  }

  /**
   * Waits for the result of a task on one of these threads.
   *
   * @param what the name of the result, for messages
   * @throws BackendFailure if it is not done by the deadline
   */
  static <T> T await(Future<T> future, Deadline deadline, String what) {
    try {
      return future.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new BackendFailure(Effect.NONE, "Timed out waiting for " + what + ".", e);
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

  /** Calls under way are still ended at their deadline. Threads that wait for a connection stop. */
  @Override
  public void close() {
    sweeper.close();
    workers.shutdownNow();
  }
}
