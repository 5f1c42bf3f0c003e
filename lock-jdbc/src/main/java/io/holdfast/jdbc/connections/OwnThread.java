package io.holdfast.jdbc.connections;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.sql.SQLException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The thread on which a connection is opened, does the work of calls, and is closed. No interrupt
 * comes to it, because nobody else knows it, while callers may be interrupted at any time. It ends
 * with its connection.
 *
 * <p>It sleeps while there is nothing to do: one that spins would take the processor from those who
 * have the database's locks.
 */
public final class OwnThread {

  static final String NAME = "holdfast-embedded";

  /** Is never shut down at once, which would interrupt. */
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(), // Of one call, and what closes the connection.
          BackendThreads.daemons(NAME),
          (task, ended) -> ((FutureTask<?>) task).cancel(false));

  /** Something with the connection. */
  @FunctionalInterface
  public interface Step<T> {
    T run() throws SQLException;
  }

  /** Starts it: from then on no step fails because the machine has no room for a thread. */
  public OwnThread() {
    thread.prestartCoreThread();
  }

  /**
   * Has something done, and waits for it also while the caller is interrupted, which finds its
   * interrupt pending afterwards. A step must not call this.
   *
   * @throws BackendFailure if it has ended
   */
  public <T> T call(Step<T> step) throws SQLException {
    FutureTask<T> task = new FutureTask<>(step::run);
    thread.execute(task);
    try {
      return await(task);
    } catch (CancellationException e) {
      throw new BackendFailure(Effect.NONE, "The connection was closed before the call.", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException failure) {
        throw failure;
      }
      throw unchecked(e);
    }
  }

  /** Has a last thing done, unless it has ended, and waits for it as for a call. */
  public void end(Runnable last) {
    FutureTask<?> task = beginToEnd(last);
    try {
      Object unused = await(task);
    } catch (CancellationException e) {
      // Another has ended it, who had the last thing done.
    } catch (ExecutionException e) {
      throw unchecked(e);
    }
  }

  /** Does not wait: the last thing is done when a call under way has returned. */
  FutureTask<?> beginToEnd(Runnable last) {
    FutureTask<?> task = new FutureTask<>(last, null);
    thread.execute(task);
    thread.shutdown();
    return task;
  }

  private static <T> T await(FutureTask<T> task) throws ExecutionException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException unchecked(ExecutionException e) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e.getCause() instanceof RuntimeException failure
        ? failure
        : new IllegalStateException(e.getCause());
  }
}
