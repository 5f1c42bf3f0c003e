package io.holdfast.zookeeper.queue;

import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.Waiter;
import io.holdfast.spi.support.Batches;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/** The verbs {@code inspect} and {@code list}. */
public final class Inspections {

  /** How many requests are read at once, each of six kilobytes at most. */
  private static final int PLACES_PER_READ = 100;

  private final Paths paths;
  private final HeadReader heads;

  public Inspections(Paths paths, HeadReader heads) {
    this.paths = paths;
    this.heads = heads;
  }

  /** Returns the record of a lock, if it is held. */
  public Optional<LockRecord> inspect(Call call, LockName name) {
    HeadReader.View seen = heads.read(call, name);
    if (seen.head().isEmpty()) {
      return Optional.empty();
    }
    Namespace namespace = seen.namespace().orElseThrow();
    Head head = seen.head().get();
    // Including requests that do not wait: they are in the queue until they have left it.
    List<RequestNode> waiting = seen.queue().stream().skip(1).toList();
    return Optional.of(
        new LockRecord(
            name,
            namespace.number(head.stat().getCzxid()),
            Optional.of(head.holder(namespace, seen.clock())),
            waiters(call, waiting)));
  }

  private static List<Waiter> waiters(Call call, List<RequestNode> waiting) {
    List<Waiter> waiters = new ArrayList<>();
    for (List<RequestNode> batch : Batches.of(waiting, PLACES_PER_READ)) {
      List<OpResult> read =
          call.read(batch.stream().map(place -> Op.getData(place.path())).toList());
      for (int i = 0; i < batch.size(); i++) {
        RequestNode place = batch.get(i);
        Node.of(read.get(i)).ifPresent(node -> waiters.add(place.entry(node.data()).asWaiter()));
      }
    }
    return waiters;
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
      if (records.size() >= limit) {
        break;
      }
      held(call, batch).stream()
          .limit(limit - (long) records.size())
          .forEach(name -> inspect(call, name).ifPresent(records::add));
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
