package io.holdfast.zookeeper.queue;

import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.support.Batches;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Namespaces;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.StoreClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.zookeeper.data.Stat;

/**
 * The verb {@code list}. Each question about one lock goes out with those about many others in the
 * same flight: a page must come over a slow network, too.
 */
public final class LockLists {

  /** How many queues are asked at once how long they are. */
  private static final int QUEUES_PER_SIZING = 1_000;

  private final Paths paths;
  private final Namespaces namespaces;
  private final QueueReader reader;
  private final LockNames names;

  public LockLists(Paths paths, Namespaces namespaces, QueueReader reader) {
    this.paths = paths;
    this.namespaces = namespaces;
    this.reader = reader;
    this.names = new LockNames(paths);
  }

  /** A queue with requests in it, by their number. */
  private record Sized(LockName name, int nodes) {}

  /** The requests in a queue, in their order. */
  private record Listed(LockName name, QueueOrder order) {}

  public List<LockRecord> list(Call call, String prefix, Optional<LockName> after, int limit) {
    byte[] start = LockName.utf8("A prefix", prefix);
    Pipeline top = call.pipeline();
    top.sync(paths.locks());
    Answer<Node> node = top.node(paths.namespace());
    Answer<List<String>> buckets = top.children(paths.locks());
    top.awaitAnswers();
    Optional<Namespace> namespace = namespaces.of(node.value());
    if (namespace.isEmpty()) {
      return List.of();
    }
    List<LockName> wanted =
        names.in(call, buckets.value().orElse(List.of())).stream()
            .filter(name -> startsWith(name.bytes(), start))
            .filter(name -> after.isEmpty() || name.compareTo(after.get()) > 0)
            .sorted()
            .toList();
    List<LockRecord> records = new ArrayList<>();
    for (List<LockName> batch : Batches.of(wanted, QUEUES_PER_SIZING)) {
      if (records.size() == limit) {
        break;
      }
      List<Sized> sized = sized(call, batch);
      // Locks that were released between two reads leave room on the page.
      while (records.size() < limit && !sized.isEmpty()) {
        int next = atOnce(sized, limit - records.size());
        records.addAll(new Part(call, namespace.get()).of(sized.subList(0, next)));
        sized = sized.subList(next, sized.size());
      }
    }
    return records;
  }

  private List<Sized> sized(Call call, List<LockName> names) {
    Pipeline pipeline = call.pipeline();
    List<Answer<Stat>> sizes =
        names.stream().map(name -> pipeline.stat(paths.queue(name))).toList();
    pipeline.awaitAnswers();
    List<Sized> sized = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      int nodes = QueueListing.nodes(sizes.get(i));
      if (nodes > 0) {
        sized.add(new Sized(names.get(i), nodes));
      }
    }
    return sized;
  }

  /** Returns how many queues are read next: one at least, and together none too long for one. */
  private static int atOnce(List<Sized> sized, int limit) {
    int queues = 0;
    long nodes = 0;
    while (queues < Math.min(limit, sized.size())) {
      nodes += sized.get(queues).nodes();
      if (queues > 0 && nodes > QueueListing.READABLE_MAX) {
        break;
      }
      queues++;
    }
    return queues;
  }

  private static boolean startsWith(byte[] bytes, byte[] start) {
    return bytes.length >= start.length
        && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
  }

  /** A part of a page: locks that are read together. */
  private final class Part {

    private final Call call;
    private final Namespace namespace;
    private final StoreClock clock = new StoreClock();
    private final Map<LockName, LockRecord> records = new TreeMap<>();

    Part(Call call, Namespace namespace) {
      this.call = call;
      this.namespace = namespace;
    }

    /** Returns those of the locks that are held. */
    List<LockRecord> of(List<Sized> queues) {
      List<Sized> open = queues;
      while (!open.isEmpty()) {
        open = sized(call, read(listed(open)));
      }
      return List.copyOf(records.values());
    }

    private List<Listed> listed(List<Sized> queues) {
      for (Sized queue : queues) {
        if (queue.nodes() > QueueListing.READABLE_MAX) {
          throw QueueListing.tooMany(call, paths.queue(queue.name()));
        }
      }
      Pipeline pipeline = call.pipeline();
      // Each in an answer of its own, since an answer has an end.
      List<Answer<List<String>>> names =
          queues.stream().map(queue -> pipeline.children(paths.queue(queue.name()))).toList();
      pipeline.awaitAnswers();
      List<Listed> listed = new ArrayList<>();
      for (int i = 0; i < queues.size(); i++) {
        LockName name = queues.get(i).name();
        String path = paths.queue(name);
        QueueListing places =
            QueueListing.of(call, path, names.get(i).value().orElse(List.of()))
                .orElseThrow(() -> QueueListing.tooMany(call, path));
        listed.add(new Listed(name, QueueOrder.of(places.inOrder())));
      }
      return listed.stream().filter(queue -> queue.order().size() > 0).toList();
    }

    /** Returns those whose first request, on which it depends who holds, has left meanwhile. */
    private List<LockName> read(List<Listed> queues) {
      Map<RequestNode, Entry> entries = new HashMap<>();
      reader
          .entries(call, queues.stream().flatMap(queue -> queue.order().queue().stream()).toList())
          .forEach(entry -> entries.put(entry.place(), entry));
      List<Listed> whole = new ArrayList<>();
      List<LockName> open = new ArrayList<>();
      for (Listed queue : queues) {
        Optional<Entry> first = Optional.ofNullable(entries.get(queue.order().first()));
        first.ifPresentOrElse(
            entry -> whole.add(new Listed(queue.name(), queue.order().withFirst(entry))),
            () -> open.add(queue.name()));
      }
      reader.keepTime(
          call,
          whole.stream()
              .flatMap(queue -> among(entries, queue.order().holders()).stream())
              .toList(),
          clock);
      for (Listed queue : whole) {
        QueueOrder order = queue.order();
        records.put(
            queue.name(),
            Inspections.record(
                queue.name(),
                namespace,
                clock,
                among(entries, order.holders()),
                among(entries, order.waiters()),
                order.waiters().size()));
      }
      return open;
    }

    private static List<Entry> among(Map<RequestNode, Entry> entries, List<RequestNode> places) {
      return places.stream()
          .flatMap(place -> Optional.ofNullable(entries.get(place)).stream())
          .toList();
    }
  }
}
