package io.holdfast.zookeeper;

import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.Waiter;
import io.holdfast.spi.Batches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/** What people see of locks. */
final class Views {

  /** So many requests are read at once, each of six kilobytes at most. */
  private static final int PLACES_PER_READ = 100;

  private final Paths paths;
  private final Heads heads;

  Views(Paths paths, Heads heads) {
    this.paths = paths;
    this.heads = heads;
  }

  /** Returns the record of a lock, if it is held. */
  Optional<LockRecord> inspect(Steps steps, LockName name) {
    Heads.Seen seen = heads.see(steps, name);
    if (seen.head().isEmpty()) {
      return Optional.empty();
    }
    Namespace namespace = seen.namespace().orElseThrow();
    Head head = seen.head().get();
    // Also who only looks: it is about to leave, but until it has, it is in the way.
    List<Place> waiting = seen.line().stream().skip(1).toList();
    return Optional.of(
        new LockRecord(
            name,
            namespace.number(head.stat().getCzxid()),
            Optional.of(head.holder(namespace, seen.clock())),
            waiters(steps, waiting)));
  }

  private static List<Waiter> waiters(Steps steps, List<Place> waiting) {
    List<Waiter> waiters = new ArrayList<>();
    for (List<Place> batch : Batches.of(waiting, PLACES_PER_READ)) {
      List<OpResult> read =
          steps.read(batch.stream().map(place -> Op.getData(place.path())).toList());
      for (int i = 0; i < batch.size(); i++) {
        Place place = batch.get(i);
        Node.of(read.get(i)).ifPresent(node -> waiters.add(place.entry(node.data()).asWaiter()));
      }
    }
    return waiters;
  }

  List<LockRecord> list(Steps steps, String prefix, Optional<LockName> after, int most) {
    byte[] start = LockName.utf8("A prefix", prefix);
    List<LockName> names =
        names(steps).stream()
            .filter(name -> startsWith(name.bytes(), start))
            .filter(name -> after.isEmpty() || name.compareTo(after.get()) > 0)
            .sorted()
            .toList();
    List<LockRecord> records = new ArrayList<>();
    for (List<LockName> batch : Batches.of(names, Looks.QUEUES_PER_READ)) {
      if (records.size() >= most) {
        break;
      }
      held(steps, batch).stream()
          .limit(most - (long) records.size())
          .forEach(name -> inspect(steps, name).ifPresent(records::add));
    }
    return records;
  }

  private List<LockName> names(Steps steps) {
    Flight top = steps.flight();
    top.sync(paths.locks());
    Answer<List<String>> buckets = top.children(paths.locks());
    top.land();
    Flight flight = steps.flight();
    List<Answer<List<String>>> all =
        buckets.value().orElse(List.of()).stream()
            .map(bucket -> flight.children(paths.bucket(bucket)))
            .toList();
    flight.land();
    return all.stream()
        .flatMap(answer -> answer.value().orElse(List.of()).stream())
        .flatMap(node -> Paths.nameOf(node).stream())
        .toList();
  }

  private List<LockName> held(Steps steps, List<LockName> names) {
    Flight flight = steps.flight();
    List<Answer<Stat>> sizes = names.stream().map(name -> flight.stat(paths.queue(name))).toList();
    flight.land();
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
