package io.holdfast.redis.connection;

import io.holdfast.spi.Deadline;
import java.io.IOException;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A time limit for all that is done to open a connection: the sockets that are used for it are
 * closed at the deadline, and so end each wait on them. Limits of single reads do not add up to it.
 */
final class TimeLimit implements AutoCloseable {

  private final Deadline deadline;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> closing;

  TimeLimit(Deadline deadline) {
    this.deadline = deadline;
    this.closing =
        end.orTimeout(Math.max(1, deadline.remainingMillis()), TimeUnit.MILLISECONDS)
            .exceptionally(
                late -> {
                  closeSockets();
                  return null;
                });
  }

  Deadline deadline() {
    return deadline;
  }

  /** Closes a socket at the deadline, unless all was done before. */
  void applyTo(Socket socket) {
    sockets.add(socket);
    if (end.isCompletedExceptionally()) {
      closeSockets();
    }
  }

  private void closeSockets() {
    for (@Nullable Socket socket = sockets.poll(); socket != null; socket = sockets.poll()) {
      try {
        socket.close();
      } catch (IOException e) {
        // Ignored: it is of no use any more.
      }
    }
  }

  /** Ends the limit: the connection is open, or was given up. */
  @Override
  public void close() {
    end.complete(null);
    closing.join(); // Either nothing is closed, or all is before the caller goes on.
  }
}
