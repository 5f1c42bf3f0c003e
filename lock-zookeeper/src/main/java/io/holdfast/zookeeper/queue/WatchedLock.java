package io.holdfast.zookeeper.queue;

import io.holdfast.LockName;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.Watching;
import io.holdfast.spi.answer.Sighting;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Ensemble;
import io.holdfast.zookeeper.call.Pipeline;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;

/**
 * A lock that a client watches. ZooKeeper tells once that a request has come to its queue or has
 * left it, on the connection over which it was asked; the next read asks again. Thread-safe.
 */
final class WatchedLock implements Watching, Watcher {

  /** After so many reads it is asked again in any case: no server tells that a watch was lost. */
  private static final int READS_PER_WATCH = 10;

  private final Ensemble ensemble;
  private final Inspections inspections;
  private final String queue;
  private final LockName name;
  private final HintListener hints;

  /** Before how many more reads the present watch is set again. */
  private final AtomicInteger readsLeft = new AtomicInteger();

  private volatile boolean closed;

  WatchedLock(
      Ensemble ensemble, Inspections inspections, String queue, LockName name, HintListener hints) {
    this.ensemble = ensemble;
    this.inspections = inspections;
    this.queue = queue;
    this.name = name;
    this.hints = hints;
  }

  @Override
  public Sighting read(int waiters, Deadline deadline) {
    return ensemble.verb(
        deadline,
        call -> {
          if (readsLeft.decrementAndGet() < 0 && !closed) {
            set(call);
          }
          return inspections.see(call, name, waiters);
        });
  }

  private void set(Call call) {
    // Before it is answered: what fires meanwhile has to be seen.
    readsLeft.set(READS_PER_WATCH);
    try {
      Answer<Stat> present = ask(call, pipeline -> pipeline.stat(queue));
      if (!present.isOk()) {
        // Tells when it comes. It may have come by now: then its children are to be watched, too.
        present = ask(call, pipeline -> pipeline.stat(queue, this));
      }
      // A list that is too long breaks the connection. Such a queue is polled.
      if (present.isOk() && QueueListing.nodes(present) <= QueueListing.READABLE_MAX) {
        Answer<List<String>> unused = ask(call, pipeline -> pipeline.children(queue, this));
      }
    } catch (RuntimeException e) {
      readsLeft.set(0);
      throw e;
    }
  }

  private static <T> Answer<T> ask(Call call, Function<Pipeline, Answer<T>> request) {
    Pipeline pipeline = call.pipeline();
    Answer<T> answer = request.apply(pipeline);
    pipeline.awaitAnswers();
    return answer;
  }

  @Override
  public void process(WatchedEvent event) {
    boolean isNews =
        event.getType() != Event.EventType.None
            || event.getState() != Event.KeeperState.SyncConnected;
    if (isNews && !closed) {
      readsLeft.set(0);
      hints.accept(name);
    }
  }

  @Override
  public void close() {
    closed = true;
    ensemble
        .connections()
        .forNoSession()
        .ifConnected()
        .ifPresent(
            client ->
                client.removeWatches(
                    queue, this, WatcherType.Any, true, (code, path, context) -> {}, null));
  }
}
