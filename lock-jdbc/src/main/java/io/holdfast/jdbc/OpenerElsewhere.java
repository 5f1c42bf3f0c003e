package io.holdfast.jdbc;

import io.holdfast.spi.Deadline;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * Opens connections on other threads, so that a source that ties them to the calling thread, to its
 * transaction or to its rights, ties them to none, and one that takes its time holds up nobody
 * beyond the deadline. A connection that comes too late is for whoever asks next.
 */
final class OpenerElsewhere implements Opener {

  private final Database database;
  private final Executor threads;
  private final Queue<CompletableFuture<Link>> late = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  OpenerElsewhere(Database database, Executor threads) {
    this.database = database;
    this.threads = threads;
  }

  @Override
  public Link open(Deadline deadline) {
    for (CompletableFuture<Link> begun = late.poll(); begun != null; begun = late.poll()) {
      try {
        return await(begun, deadline);
      } catch (RuntimeException e) {
        // One that fails was begun for a call with less time.
        if (!begun.isCompletedExceptionally()) {
          throw e;
        }
      }
    }
    return await(CompletableFuture.supplyAsync(() -> database.open(deadline), threads), deadline);
  }

  private Link await(CompletableFuture<Link> opening, Deadline deadline) {
    try {
      return OwnThreads.await(opening, deadline, "a connection to " + database.describe());
    } catch (RuntimeException e) {
      if (!opening.isCompletedExceptionally()) {
        leave(opening);
      }
      throw e;
    }
  }

  private void leave(CompletableFuture<Link> opening) {
    late.add(opening);
    if (closed) {
      close();
    }
  }

  @Override
  public void close() {
    closed = true;
    for (CompletableFuture<Link> left = late.poll(); left != null; left = late.poll()) {
      CompletableFuture<Void> unused = left.thenAccept(Link::giveBack);
    }
  }
}
