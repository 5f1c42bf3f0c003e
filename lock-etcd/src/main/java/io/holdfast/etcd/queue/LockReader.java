package io.holdfast.etcd.queue;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Op;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.LeaseTimes;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Edition;
import io.holdfast.spi.answer.Sighting;
import io.holdfast.spi.support.Batches;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads records: inspect and list. The reads about one lock are one atomic transaction. */
public final class LockReader {

  /** Each lock takes two reads, and by default a transaction may have 128 operations. */
  private static final int LOCKS_PER_TXN = 40;

  private static final int KEYS_PER_READ = 500;

  /** Which read of {@link #waitersReads} is the first of the request's seats. */
  private static final int SEATS = 3;

  /** A part of a queue that is longer is not read by itself. */
  private static final long QUEUE_PART_MAX = 8_192;

  private final Keys keys;
  private final Namespaces namespaces;

  public LockReader(Keys keys, Namespaces namespaces) {
    this.keys = keys;
    this.namespaces = namespaces;
  }

  public Optional<LockRecord> inspect(EtcdCalls calls, LockName name) {
    return records(calls, List.of(name)).stream().findFirst();
  }

  /** Returns the same with the first of those who wait. */
  public Optional<LockRecord> inspect(EtcdCalls calls, LockName name, int waiters) {
    LockRecord record = see(calls, name, waiters).record();
    return record.holders().isEmpty() ? Optional.empty() : Optional.of(record);
  }

  /**
   * A lock as it was read.
   *
   * @param revision of the store when it answered: all that has happened until then is seen
   * @param namespace empty if there is none
   */
  record Seen(LockRecord record, long revision, Optional<StoredNamespace> namespace) {

    Seen with(LockRecord other) {
      return new Seen(other, revision, namespace);
    }

    /** Returns it with its place in the order, which goes on from that of an earlier namespace. */
    Sighting sighting() {
      return new Sighting(
          record, namespace.map(present -> new Edition(present.number(revision), 0)));
    }
  }

  /**
   * Reads a lock with the first of those who wait. How many hold the lock is only known once the
   * first of them is read that waits; if too many hold it for that, the next read is longer.
   */
  Seen see(EtcdCalls calls, LockName name, int waiters) {
    Seen last = new Seen(LockRecord.unknown(name), 0, Optional.empty());
    for (long limit = waiters + 2L; limit < QUEUE_PART_MAX; limit *= 2) {
      TxnResponse answer =
          calls.read(
              List.of(
                  Ops.first(keys.queue(name), limit),
                  Ops.get(keys.marks(name)),
                  Ops.countOf(keys.queue(name)),
                  Ops.get(keys.namespace())));
      Optional<StoredNamespace> namespace = namespaces.readFrom(answer, 3);
      last = new Seen(LockRecord.unknown(name), answer.getHeader().getRevision(), namespace);
      List<KeyValue> queue = Ops.found(answer, 0);
      if (namespace.isEmpty() || queue.isEmpty()) {
        return last;
      }
      LockSnapshot part = LockSnapshot.of(keys, namespace.get(), name, queue, Ops.found(answer, 1));
      int waiting = (int) Ops.count(answer, 2) - part.holders().size();
      boolean isAll = queue.size() == Ops.count(answer, 2);
      if (isAll || queue.size() - part.holders().size() >= Math.max(1, waiters)) {
        LockRecord read = recordsOf(calls, List.of(part)).get(0);
        return last.with(
            new LockRecord(name, read.number(), read.holders(), read.waiters(), waiting)
                .withFirst(waiters));
      }
    }
    return last.with(
        inspect(calls, name)
            .map(record -> record.withFirst(waiters))
            .orElseGet(() -> LockRecord.unknown(name)));
  }

  /**
   * Returns those who wait behind a request that waits; empty if it does not. Whether it does is
   * told by the keys of the queue, without what they have.
   */
  public Optional<List<Waiter>> waitersBehind(
      EtcdCalls calls, LockName name, RequestId after, int limit) {
    Keys.Range queue = keys.queue(name);
    TxnResponse answer = calls.read(waitersReads(new RequestKey(name, after)));
    List<KeyValue> all = Ops.found(answer, 0);
    Optional<KeyValue> last = SeatSearch.find(new RequestKey(name, after), answer, SEATS);
    if (last.isEmpty() || namespaces.readFrom(answer, 2).isEmpty()) {
      return Optional.empty();
    }
    StoredRequest first = StoredRequest.of(keys, Ops.found(answer, 1).get(0));
    int holders = QueueOrder.of(all, first.mode() == LockMode.SHARED).holders();
    return all.stream()
        .skip(holders)
        .filter(entry -> entry.getKey().equals(last.get().getKey()))
        .findFirst()
        .map(entry -> behind(calls, queue, entry.getCreateRevision(), limit));
  }

  private List<Op> waitersReads(RequestKey after) {
    Keys.Range queue = keys.queue(after.name());
    List<Op> reads = new ArrayList<>();
    reads.add(Ops.keysOf(queue));
    reads.add(Ops.first(queue));
    reads.add(Ops.get(keys.namespace()));
    reads.addAll(SeatSearch.reads(keys, after));
    return reads;
  }

  private List<Waiter> behind(EtcdCalls calls, Keys.Range queue, long revision, int limit) {
    TxnResponse page = calls.read(List.of(Ops.after(queue, revision, limit)));
    return Ops.found(page, 0).stream()
        .map(entry -> StoredRequest.of(keys, entry).waiter())
        .toList();
  }

  public List<LockRecord> list(
      EtcdCalls calls, String prefix, Optional<LockName> after, int limit) {
    List<LockRecord> records = new ArrayList<>();
    Optional<LockName> last = after;
    int missing = limit;
    boolean hasMore = true;
    while (missing > 0 && hasMore) {
      List<LockName> names = names(calls, prefix, last, missing);
      records.addAll(records(calls, names));
      hasMore = names.size() == missing;
      last = names.isEmpty() ? last : Optional.of(names.get(names.size() - 1));
      // Locks that were released between two reads leave room on the page.
      missing = limit - records.size();
    }
    return records;
  }

  private List<LockName> names(
      EtcdCalls calls, String prefix, Optional<LockName> after, int limit) {
    Set<LockName> names = new LinkedHashSet<>();
    Optional<LockName> last = after;
    List<KeyValue> found;
    do {
      found = calls.keys(keys.queues(prefix, last), KEYS_PER_READ).getKvs();
      for (KeyValue entry : found) {
        if (names.size() < limit) {
          names.add(keys.seatAt(entry.getKey()).name());
        }
      }
      if (!found.isEmpty()) {
        last = Optional.of(keys.seatAt(found.get(found.size() - 1).getKey()).name());
      }
    } while (names.size() < limit && found.size() == KEYS_PER_READ);
    return List.copyOf(names);
  }

  /** Returns the records of those locks that are held. */
  private List<LockRecord> records(EtcdCalls calls, List<LockName> names) {
    List<LockRecord> records = new ArrayList<>();
    for (List<LockName> batch : Batches.of(names, LOCKS_PER_TXN)) {
      calls.readParts(
          batch, this::reads, (part, answer) -> records.addAll(recordsOf(calls, part, answer)));
    }
    return records;
  }

  private List<Op> reads(List<LockName> names) {
    List<Op> reads = new ArrayList<>();
    for (LockName name : names) {
      reads.add(Ops.all(keys.queue(name)));
      reads.add(Ops.get(keys.marks(name)));
    }
    reads.add(Ops.get(keys.namespace()));
    return reads;
  }

  private List<LockRecord> recordsOf(EtcdCalls calls, List<LockName> names, TxnResponse answer) {
    return namespaces
        .readFrom(answer, 2 * names.size())
        .map(namespace -> recordsOf(calls, snapshots(names, namespace, answer)))
        .orElse(List.of());
  }

  private List<LockSnapshot> snapshots(
      List<LockName> names, StoredNamespace namespace, TxnResponse answer) {
    List<LockSnapshot> snapshots = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      List<KeyValue> queue = Ops.found(answer, 2 * i);
      List<KeyValue> marks = Ops.found(answer, 2 * i + 1);
      if (!queue.isEmpty()) {
        snapshots.add(LockSnapshot.of(keys, namespace, names.get(i), queue, marks));
      }
    }
    return snapshots;
  }

  /** The times of all that stay are asked for together. */
  private static List<LockRecord> recordsOf(EtcdCalls calls, List<LockSnapshot> snapshots) {
    LeaseTimes times =
        calls.leaseTimes(snapshots.stream().flatMap(LockSnapshot::timedLeases).toList());
    return snapshots.stream().map(snapshot -> snapshot.record(times)).toList();
  }
}
