package io.holdfast.zookeeper.queue;

import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.Watching;
import io.holdfast.spi.answer.Sighting;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Ensemble;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.StoreClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The verb {@code inspect}, and the watches that look at a lock. */
public final class Inspections {

  private final Paths paths;
  private final QueueReader reader;

  public Inspections(Paths paths, QueueReader reader) {
    this.paths = paths;
    this.reader = reader;
  }

  /**
   * Returns the record of a lock, if it is held, with so many waiters at most. The names of all are
   * read, since no ZooKeeper lists a part of the children; the nodes of those alone.
   */
  public Optional<LockRecord> inspect(Call call, LockName name, int most) {
    LockRecord record = see(call, name, most).record();
    return record.holders().isEmpty() ? Optional.empty() : Optional.of(record);
  }

  /** Reads a lock with its place in the order of its states: the last zxid that has changed it. */
  Sighting see(Call call, LockName name, int most) {
    QueueReader.View seen = reader.read(call, name);
    if (seen.first().isEmpty()) {
      return new Sighting(LockRecord.unknown(name), seen.edition(List.of()));
    }
    List<Entry> holders = new ArrayList<>(seen.first().stream().toList());
    holders.addAll(reader.entries(call, seen.order().holders().stream().skip(1).toList()));
    reader.keepTime(call, holders, seen.clock());
    // Including requests that do not wait: they are in the queue until they have left it.
    List<RequestNode> waiting = seen.order().waiters();
    List<Entry> waiters = reader.entries(call, waiting.subList(0, Math.min(most, waiting.size())));
    Namespace namespace = seen.namespace().orElseThrow();
    return new Sighting(
        record(name, namespace, seen.clock(), holders, waiters, waiting.size()),
        seen.edition(holders));
  }

  /** Returns the record of a lock that is held. */
  static LockRecord record(
      LockName name,
      Namespace namespace,
      StoreClock clock,
      List<Entry> holders,
      List<Entry> waiters,
      int waiting) {
    return new LockRecord(
        name,
        holders.get(0).number(namespace),
        holders.stream().map(holder -> holder.holder(namespace, clock)).toList(),
        waiters.stream().map(Entry::waiter).toList(),
        waiting);
  }

  /** Begins to watch a lock for a client that does not ask for it. */
  public Watching watch(Ensemble ensemble, LockName name, HintListener hints) {
    return new WatchedLock(ensemble, this, paths.queue(name), name, hints);
  }

  /** Returns those who wait behind a request that waits; empty if it does not. */
  public Optional<List<Waiter>> waitersBehind(
      Call call, LockName name, RequestId after, int limit) {
    List<RequestNode> waiting = reader.read(call, name).order().waiters();
    for (int i = 0; i < waiting.size(); i++) {
      if (waiting.get(i).request().equals(after)) {
        int to = (int) Math.min(waiting.size(), i + 1L + limit);
        return Optional.of(
            reader.entries(call, waiting.subList(i + 1, to)).stream().map(Entry::waiter).toList());
      }
    }
    return Optional.empty();
  }
}
