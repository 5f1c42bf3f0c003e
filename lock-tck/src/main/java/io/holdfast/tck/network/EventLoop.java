package io.holdfast.tck.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The one thread of a proxy: waits for channels, for due times, and for orders. */
final class EventLoop {

  private static final int WITHIN_SECONDS = 60;

  /** The work on the thread. */
  interface Work {
    /** Does what a channel is ready for. */
    void ready(SelectionKey key) throws IOException;

    /** Does all that is due, and returns after what time something will be. */
    long goOn(long nowNanos);
  }

  private final Selector selector;
  private final Work work;
  private final Queue<Order<?>> orders = new ConcurrentLinkedQueue<>();
  private final Thread thread = new Thread(this::run, "tck-network-proxy");
  private volatile boolean closed;

  private record Order<T>(Callable<T> call, CompletableFuture<T> result) {
    /** Obeys, and returns what tells so. */
    Runnable obey() {
      try {
        T value = call.call();
        return () -> result.complete(value);
      } catch (Exception | Error e) {
        return () -> result.completeExceptionally(e);
      }
    }
  }

  EventLoop(Work work) {
    this.work = work;
    try {
      this.selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    thread.setDaemon(true);
  }

  Selector selector() {
    return selector;
  }

  void start() {
    thread.start();
  }

  /** Does something on the thread, and returns when it was done and every channel knows of it. */
  <T> T ask(Callable<T> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    orders.add(new Order<>(call, result));
    selector.wakeup();
    try {
      return result.orTimeout(WITHIN_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof TimeoutException
          ? new IllegalStateException("The proxy's thread is gone.", e)
          : e;
    }
  }

  private void run() {
    long idleNanos = 0;
    try {
      while (!closed) {
        if (orders.isEmpty()) {
          await(idleNanos);
        }
        for (SelectionKey key : selector.selectedKeys()) {
          work.ready(key);
        }
        selector.selectedKeys().clear();
        List<Runnable> replies = new ArrayList<>();
        for (Order<?> order = orders.poll(); order != null; order = orders.poll()) {
          replies.add(order.obey());
        }
        idleNanos = work.goOn(System.nanoTime());
        // A closed channel is closed only now. This may also take the wake-up for the next order.
        selector.selectNow();
        replies.forEach(Runnable::run);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void await(long nanos) throws IOException {
    // Rounded up, or it would turn idly for the last millisecond.
    selector.select(1 + TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  /** Ends the thread. */
  void close() {
    closed = true;
    selector.wakeup();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(WITHIN_SECONDS));
      selector.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
