package io.holdfast.etcd.connection;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.GetOption.SortOrder;
import io.etcd.jetcd.options.GetOption.SortTarget;
import io.etcd.jetcd.options.PutOption;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Seat;
import java.util.List;
import java.util.Optional;

/** The parts of transactions. A queue is its keys in the order in which they were created. */
public final class Ops {

  private Ops() {}

  /** The key was created by the revision and has not been deleted since. */
  public static Cmp isThere(ByteSequence key, long createRevision) {
    return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(createRevision));
  }

  /** The key was last written to by the revision, and has not been deleted since. */
  public static Cmp isUnchanged(ByteSequence key, long modRevision) {
    return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(modRevision));
  }

  /** The key has not been written to or deleted since it was read. */
  public static Cmp isAsRead(KeyValue entry) {
    return isUnchanged(entry.getKey(), entry.getModRevision());
  }

  /** The key has the value that was read. */
  public static Cmp hasValueAsRead(KeyValue entry) {
    return new Cmp(entry.getKey(), Cmp.Op.EQUAL, CmpTarget.value(entry.getValue()));
  }

  public static Cmp isThere(ByteSequence key) {
    return new Cmp(key, Cmp.Op.GREATER, CmpTarget.createRevision(0));
  }

  public static Cmp isAbsent(ByteSequence key) {
    return isThere(key, 0);
  }

  public static Op put(ByteSequence key, ByteSequence value, long lease) {
    return Op.put(key, value, PutOption.builder().withLeaseId(lease).build());
  }

  public static Op delete(ByteSequence key) {
    return Op.delete(key, DeleteOption.DEFAULT);
  }

  public static Op delete(Keys.Range range) {
    return Op.delete(range.from(), DeleteOption.builder().withRange(range.to()).build());
  }

  public static Op get(ByteSequence key) {
    return Op.get(key, GetOption.DEFAULT);
  }

  public static Op get(Keys.Range range) {
    return Op.get(range.from(), ofRange(range));
  }

  /** Reads a key without its value. */
  public static Op keyOf(ByteSequence key) {
    return Op.get(key, GetOption.builder().withKeysOnly(true).build());
  }

  /** Counts the requests of a queue. */
  public static Op countOf(Keys.Range queue) {
    return Op.get(
        queue.from(), GetOption.builder().withRange(queue.to()).withCountOnly(true).build());
  }

  /** Returns the operations that remove a request and its marks. */
  public static List<Op> removal(Keys keys, Seat seat, ByteSequence key) {
    return List.of(delete(key), delete(keys.marks(seat)));
  }

  public static GetOption ofRange(Keys.Range range) {
    return GetOption.builder().withRange(range.to()).build();
  }

  /** Reads so many requests at the beginning of a queue. */
  public static Op first(Keys.Range queue, long limit) {
    return Op.get(queue.from(), inOrder(queue, SortOrder.ASCEND).withLimit(limit).build());
  }

  /** Reads so many requests that were created after a revision. */
  public static Op after(Keys.Range queue, long revision, long limit) {
    return Op.get(
        queue.from(),
        inOrder(queue, SortOrder.ASCEND)
            .withMinCreateRevision(revision + 1)
            .withLimit(limit)
            .build());
  }

  /** Reads the first request of a queue. */
  public static Op first(Keys.Range queue) {
    return Op.get(queue.from(), inOrder(queue, SortOrder.ASCEND).withLimit(1).build());
  }

  /** Reads the key of the first request of a queue. */
  public static Op firstKey(Keys.Range queue) {
    return Op.get(
        queue.from(), inOrder(queue, SortOrder.ASCEND).withLimit(1).withKeysOnly(true).build());
  }

  /** Reads the keys of the last two requests of a queue, the last first. */
  public static Op lastTwoKeys(Keys.Range queue) {
    return Op.get(
        queue.from(), inOrder(queue, SortOrder.DESCEND).withLimit(2).withKeysOnly(true).build());
  }

  /** Reads the last request that was created before a revision. */
  public static Op before(Keys.Range queue, long revision) {
    return Op.get(
        queue.from(),
        inOrder(queue, SortOrder.DESCEND).withMaxCreateRevision(revision - 1).withLimit(1).build());
  }

  /** Reads the last request of a queue. */
  public static Op last(Keys.Range queue) {
    return Op.get(queue.from(), inOrder(queue, SortOrder.DESCEND).withLimit(1).build());
  }

  /** Reads the first two requests of a queue. */
  public static Op firstTwo(Keys.Range queue) {
    return Op.get(queue.from(), inOrder(queue, SortOrder.ASCEND).withLimit(2).build());
  }

  /** Reads the keys of a queue without values. */
  public static Op keysOf(Keys.Range queue) {
    return Op.get(queue.from(), inOrder(queue, SortOrder.ASCEND).withKeysOnly(true).build());
  }

  /** Reads a whole queue. */
  public static Op all(Keys.Range queue) {
    return Op.get(queue.from(), inOrder(queue, SortOrder.ASCEND).build());
  }

  private static GetOption.Builder inOrder(Keys.Range queue, SortOrder order) {
    return GetOption.builder()
        .withRange(queue.to())
        .withSortField(SortTarget.CREATE)
        .withSortOrder(order);
  }

  /** Returns the entries found by the read with this index in a transaction. */
  public static List<KeyValue> found(TxnResponse answer, int index) {
    return answer.getGetResponses().get(index).getKvs();
  }

  /**
   * Returns the number of keys in the range of the read with this index, regardless of its limit.
   */
  public static long count(TxnResponse answer, int index) {
    return answer.getGetResponses().get(index).getCount();
  }

  public static Optional<KeyValue> foundOne(TxnResponse answer, int index) {
    return found(answer, index).stream().findFirst();
  }
}
