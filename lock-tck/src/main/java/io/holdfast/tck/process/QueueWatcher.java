package io.holdfast.tck.process;

import io.holdfast.LockClient;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Waiter;
import io.holdfast.tck.history.HistoryEvent.Queued;
import io.holdfast.tck.history.HistoryWriter;
import io.holdfast.tck.history.RequestTag;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/**
 * Looks at the queues of the run's locks all the time and writes down whom it sees there. A place
 * in a queue is a fact of the store, which the waiter itself does not learn of.
 */
final class QueueWatcher implements AutoCloseable {

  private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

  /** Each look costs the store a call, and there are many runs beside this one. */
  private static final Duration LOOKS_EVERY = Duration.ofMillis(60);

  /** While a thread waits to be told of a request. */
  private static final Duration LOOKS_OFTEN = Duration.ofMillis(15);

  private final LockClient client;
  private final List<String> locks;
  private final HistoryWriter history;
  private final Set<RequestTag> seen = ConcurrentHashMap.newKeySet();
  private final Thread thread = new Thread(this::watch, "queue-watcher");
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean stopped;
  private volatile Optional<RuntimeException> failure = Optional.empty();

  QueueWatcher(LockClient client, List<String> locks, HistoryWriter history) {
    this.client = client;
    this.locks = locks;
    this.history = history;
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Returns when a request was seen in the queue.
   *
   * @param isServed whether it was and has left the queue, perhaps between two looks
   */
  void awaitSeen(RequestTag request, BooleanSupplier isServed, Duration limit) {
    waiting.incrementAndGet();
    try {
      Awaitility.await(request + " in the queue")
          .atMost(limit)
          .pollDelay(Duration.ZERO)
          .pollInterval(POLL_INTERVAL)
          .until(() -> requireWatching() && (seen.contains(request) || isServed.getAsBoolean()));
    } finally {
      waiting.decrementAndGet();
    }
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(30));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean requireWatching() {
    failure.ifPresent(
        problem -> {
          throw new AssertionError("Nobody watches the queues any more", problem);
        });
    return true;
  }

  private void watch() {
    try {
      while (!stopped) {
        locks.forEach(this::look);
        Duration pause = waiting.get() > 0 ? LOOKS_OFTEN : LOOKS_EVERY;
        TimeUnit.MILLISECONDS.sleep(pause.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure = Optional.of(e);
    }
  }

  private void look(String lock) {
    try {
      client.find(lock).map(LockRecord::waiters).orElse(List.of()).forEach(this::see);
    } catch (BackendUnreachableException e) {
      // Seeing less makes the history say less, never something wrong.
    }
  }

  private void see(Waiter waiter) {
    RequestTag request = RequestTag.parse(waiter.why());
    if (seen.add(request)) {
      history.record(new Queued(request, System.nanoTime(), waiter.request().session()));
    }
  }
}
