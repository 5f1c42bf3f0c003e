package io.holdfast.jdbc.connections;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The threads of a backend: those that connect, those that end calls, and one that says when. All
 * end when they have been idle for a while. Nothing of that is ever done on the thread of a caller:
 * a source may have bound a connection to it, and a login may take longer than the caller has.
 *
 * <p>The timeouts of drivers are no deadlines: they start again with every byte that arrives.
 */
public final class BackendThreads implements Executor, DeadlineTimer, AutoCloseable {

  /** So that one that hangs, because its driver connects for it, holds up no other. */
  private static final int ENDINGS_MAX = 16;

  /** For so long its threads may outlive the backend: they end late calls also then. */
  private static final Duration ENDING_IDLE = Duration.ofSeconds(1);

  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final Duration GIVING_BACK_MAX = Duration.ofSeconds(2);
  private static final AtomicInteger BACKENDS = new AtomicInteger();

  private final String name = "holdfast-jdbc-" + BACKENDS.incrementAndGet();
  private final ThreadPoolExecutor logins;
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
    // As many as are asked for: each caller limits how many of its logins are under way. With a
    // limit for all, those of calls that hang would leave none to heartbeats.
    logins =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            factories.apply(name + "-connection"),
            (task, closed) -> {
              throw new BackendFailure(
                  Effect.NONE, "The backend is closed: it makes no more connections.", null);
            });
    ThreadPoolExecutor endings =
        new ThreadPoolExecutor(
            ENDINGS_MAX,
            ENDINGS_MAX,
            ENDING_IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // Of no more than the calls under way.
            factories.apply(name + "-ending"));
    endings.allowCoreThreadTimeOut(true);
    sweeper = new DeadlineSweeper(factories.apply(name + "-deadline"), endings, IDLE);
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

  /**
   * Does what connects.
   *
   * @throws BackendFailure if this is closed
   */
  @Override
  public void execute(Runnable task) {
    logins.execute(task);
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
    Login login = begin(database, deadline);
    try {
      return login.await(deadline);
    } catch (RuntimeException e) {
      login.abandon(() -> {});
      throw e;
    }
  }

  /** Begins to connect as {@link #open} does. */
  public Login begin(Database database, Deadline deadline) {
    return new Login(
        this,
        CompletableFuture.supplyAsync(() -> database.open(deadline), this),
        "a connection to " + database.describe());
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
    logins.shutdownNow();
  }
}
