package io.holdfast.jdbc.connections;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import java.util.concurrent.CompletableFuture;

/**
 * A login under way, on a thread of {@link BackendThreads}. The caller that has begun it waits for
 * it only until a deadline; it may take longer by far, for an application's pool has timeouts of
 * its own.
 */
public final class Login {

  private final BackendThreads threads;
  private final CompletableFuture<DatabaseConnection> connection;
  private final String what;

  Login(BackendThreads threads, CompletableFuture<DatabaseConnection> connection, String what) {
    this.threads = threads;
    this.connection = connection;
    this.what = what;
  }

  /**
   * Returns the connection.
   *
   * @throws BackendFailure if there is none by the deadline; then it has to be {@linkplain #abandon
   *     abandoned}
   */
  public DatabaseConnection await(Deadline deadline) {
    return BackendThreads.await(connection, deadline, what);
  }

  /**
   * Has the connection given back when it arrives after all.
   *
   * @param over run when that is done, or when it is known that none will come
   */
  public void abandon(Runnable over) {
    CompletableFuture<Void> unused =
        connection.thenAccept(threads::giveBack).whenComplete((done, failure) -> over.run());
  }
}
