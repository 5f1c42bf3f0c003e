package io.holdfast.etcd;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Op;
import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.spi.Batches;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Obstacle;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Standing;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is seen of locks. Each batch of reads is one transaction, and so of one moment. */
final class Views {

  /**
   * Three reads each: a transaction may have 128 operations, unless a server was told otherwise.
   */
  private static final int LOCKS_PER_TXN = 40;

  private static final int KEYS_PER_READ = 500;

  private final Keys keys;
  private final Namespaces namespaces;
  private final Watches watches;

  Views(Keys keys, Namespaces namespaces, Watches watches) {
    this.keys = keys;
    this.namespaces = namespaces;
    this.watches = watches;
  }

  List<Standing> look(Steps steps, List<RequestKey> requests) {
    List<Standing> standings = new ArrayList<>();
    for (List<RequestKey> batch : Batches.of(requests, LOCKS_PER_TXN)) {
      List<Op> reads = new ArrayList<>();
      for (RequestKey key : batch) {
        // Those who wait may publish much: of all but the first only the keys are wanted.
        reads.add(Ops.keysOf(keys.queue(key.name())));
        reads.add(Ops.first(keys.queue(key.name())));
        reads.add(Ops.get(keys.marks(key.name())));
      }
      reads.add(Ops.get(keys.namespace()));
      TxnResponse answer = steps.read(reads);
      Optional<Namespace> namespace = namespaces.seen(answer, reads.size() - 1);
      for (int i = 0; i < batch.size(); i++) {
        RequestKey key = batch.get(i);
        List<KeyValue> queue = Ops.found(answer, 3 * i);
        List<KeyValue> first = Ops.found(answer, 3 * i + 1);
        List<KeyValue> marks = Ops.found(answer, 3 * i + 2);
        Standing standing =
            namespace
                .map(present -> Seen.of(keys, present, key.name(), first, marks))
                .map(seen -> standing(steps, seen, key, queue))
                .orElse(new Standing.Absent());
        watches.stands(key, standing, queue, answer.getHeader().getRevision());
        standings.add(standing);
      }
    }
    return standings;
  }

  private Standing standing(Steps steps, Seen seen, RequestKey key, List<KeyValue> queue) {
    int ahead = indexOf(queue, key);
    if (ahead < 0) {
      return new Standing.Absent();
    }
    Place head = seen.head().orElseThrow();
    long number = seen.namespace().number(head.revision());
    if (ahead == 0) {
      return new Standing.Holding(number, head.since(), Contention.of(queue.size() - 1));
    }
    Liveness liveness = seen.liveness(head);
    Observed observed = new Observed(key.name(), number, head.request());
    return new Standing.Waiting(
        ahead,
        liveness == Liveness.LIVE
            ? List.of()
            : List.of(new Obstacle(observed, head.request(), liveness)),
        ahead == 1 ? seen.headDue(steps) : Optional.empty());
  }

  private int indexOf(List<KeyValue> queue, RequestKey key) {
    return queue.stream().map(KeyValue::getKey).toList().indexOf(keys.place(key));
  }

  Optional<LockRecord> inspect(Steps steps, LockName name) {
    return records(steps, List.of(name)).stream().findFirst();
  }

  List<LockRecord> list(Steps steps, String prefix, Optional<LockName> after, int most) {
    List<LockRecord> records;
    List<LockName> names;
    Optional<LockName> last = after;
    do {
      names = names(steps, prefix, last, most);
      records = records(steps, names);
      last = names.isEmpty() ? last : Optional.of(names.get(names.size() - 1));
      // What was just released is no reason to tell that there is no more.
    } while (records.isEmpty() && !names.isEmpty());
    return records;
  }

  private List<LockName> names(Steps steps, String prefix, Optional<LockName> after, int most) {
    Set<LockName> names = new LinkedHashSet<>();
    Optional<LockName> last = after;
    List<KeyValue> found;
    do {
      found = steps.keys(keys.queues(prefix, last), KEYS_PER_READ).getKvs();
      for (KeyValue place : found) {
        if (names.size() < most) {
          names.add(keys.requestAt(place.getKey()).name());
        }
      }
      if (!found.isEmpty()) {
        last = Optional.of(keys.requestAt(found.get(found.size() - 1).getKey()).name());
      }
    } while (names.size() < most && found.size() == KEYS_PER_READ);
    return List.copyOf(names);
  }

  /** Returns the records of those locks that are held. */
  private List<LockRecord> records(Steps steps, List<LockName> names) {
    List<LockRecord> records = new ArrayList<>();
    for (List<LockName> batch : Batches.of(names, LOCKS_PER_TXN)) {
      List<Op> reads = new ArrayList<>();
      for (LockName name : batch) {
        reads.add(Ops.all(keys.queue(name)));
        reads.add(Ops.get(keys.marks(name)));
      }
      reads.add(Ops.get(keys.namespace()));
      TxnResponse answer = steps.read(reads);
      Optional<Namespace> namespace = namespaces.seen(answer, reads.size() - 1);
      for (int i = 0; i < batch.size() && namespace.isPresent(); i++) {
        List<KeyValue> queue = Ops.found(answer, 2 * i);
        List<KeyValue> marks = Ops.found(answer, 2 * i + 1);
        if (!queue.isEmpty()) {
          records.add(Seen.of(keys, namespace.get(), batch.get(i), queue, marks).record());
        }
      }
    }
    return records;
  }
}
