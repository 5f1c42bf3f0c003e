package io.holdfast.zookeeper.queue;

import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.Watching;
import io.holdfast.spi.answer.Sighting;
import io.holdfast.spi.support.Batches;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Ensemble;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/** The verbs {@code inspect} and {@code list}. */
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
        new LockRecord(
            name,
            holders.get(0).number(namespace),
            holders.stream().map(holder -> holder.holder(namespace, seen.clock())).toList(),
            waiters.stream().map(Entry::waiter).toList(),
            waiting.size()),
        seen.edition(holders));
  }

  /** Begins to watch a lock for somebody who does not ask for it. */
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

  public List<LockRecord> list(Call call, String prefix, Optional<LockName> after, int limit) {
    byte[] start = LockName.utf8("A prefix", prefix);
    List<LockName> names =
        names(call).stream()
            .filter(name -> startsWith(name.bytes(), start))
            .filter(name -> after.isEmpty() || name.compareTo(after.get()) > 0)
            .sorted()
            .toList();
    List<LockRecord> records = new ArrayList<>();
    for (List<LockName> batch : Batches.of(names, Standings.QUEUES_PER_READ)) {
      if (records.size() == limit) {
        break;
      }
      for (LockName name : held(call, batch)) {
        if (records.size() == limit) {
          break;
        }
        // Locks that were released between two reads leave room on the page.
        inspect(call, name, Integer.MAX_VALUE).ifPresent(records::add);
      }
    }
    return records;
  }

  private List<LockName> names(Call call) {
    Pipeline top = call.pipeline();
    top.sync(paths.locks());
    Answer<List<String>> buckets = top.children(paths.locks());
    top.awaitAnswers();
    Pipeline pipeline = call.pipeline();
    List<Answer<List<String>>> all =
        buckets.value().orElse(List.of()).stream()
            .map(bucket -> pipeline.children(paths.bucket(bucket)))
            .toList();
    pipeline.awaitAnswers();
    return all.stream()
        .flatMap(answer -> answer.value().orElse(List.of()).stream())
        .flatMap(node -> Paths.nameOf(node).stream())
        .toList();
  }

  private List<LockName> held(Call call, List<LockName> names) {
    Pipeline pipeline = call.pipeline();
    List<Answer<Stat>> sizes =
        names.stream().map(name -> pipeline.stat(paths.queue(name))).toList();
    pipeline.awaitAnswers();
    List<LockName> held = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (sizes.get(i).value().filter(stat -> stat.getNumChildren() > 0).isPresent()) {
        held.add(names.get(i));
      }
    }
    return held;
  }

  private static boolean startsWith(byte[] bytes, byte[] start) {
    return bytes.length >= start.length
        && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
  }
}
