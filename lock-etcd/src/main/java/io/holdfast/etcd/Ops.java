package io.holdfast.etcd;

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
import java.util.List;
import java.util.Optional;

/** What transactions are made of. A queue is its keys in the order in which they were created. */
final class Ops {

  private Ops() {}

  /** The key is the one that the revision created, and was not deleted since. */
  static Cmp isThere(ByteSequence key, long createRevision) {
    return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(createRevision));
  }

  static Cmp isThere(ByteSequence key) {
    return new Cmp(key, Cmp.Op.GREATER, CmpTarget.createRevision(0));
  }

  static Cmp isAbsent(ByteSequence key) {
    return isThere(key, 0);
  }

  static Op put(ByteSequence key, ByteSequence value, long lease) {
    return Op.put(key, value, PutOption.builder().withLeaseId(lease).build());
  }

  static Op delete(ByteSequence key) {
    return Op.delete(key, DeleteOption.DEFAULT);
  }

  static Op delete(Keys.Range range) {
    return Op.delete(range.from(), DeleteOption.builder().withRange(range.to()).build());
  }

  static Op get(ByteSequence key) {
    return Op.get(key, GetOption.DEFAULT);
  }

  static Op get(Keys.Range range) {
    return Op.get(range.from(), ofRange(range));
  }

  static GetOption ofRange(Keys.Range range) {
    return GetOption.builder().withRange(range.to()).build();
  }

  /** The first of a queue. */
  static Op first(Keys.Range queue) {
    return Op.get(queue.from(), inOrder(queue, SortOrder.ASCEND).withLimit(1).build());
  }

  /** The key of the first of a queue. */
  static Op firstKey(Keys.Range queue) {
    return Op.get(
        queue.from(), inOrder(queue, SortOrder.ASCEND).withLimit(1).withKeysOnly(true).build());
  }

  /** The keys of the last two of a queue, the last first. */
  static Op lastTwoKeys(Keys.Range queue) {
    return Op.get(
        queue.from(), inOrder(queue, SortOrder.DESCEND).withLimit(2).withKeysOnly(true).build());
  }

  /** The key of whoever stands before a revision, the nearest. */
  static Op keyBefore(Keys.Range queue, long revision) {
    return Op.get(
        queue.from(),
        inOrder(queue, SortOrder.DESCEND)
            .withMaxCreateRevision(revision - 1)
            .withLimit(1)
            .withKeysOnly(true)
            .build());
  }

  /** The keys of a queue. */
  static Op keysOf(Keys.Range queue) {
    return Op.get(queue.from(), inOrder(queue, SortOrder.ASCEND).withKeysOnly(true).build());
  }

  /** A queue. */
  static Op all(Keys.Range queue) {
    return Op.get(queue.from(), inOrder(queue, SortOrder.ASCEND).build());
  }

  private static GetOption.Builder inOrder(Keys.Range queue, SortOrder order) {
    return GetOption.builder()
        .withRange(queue.to())
        .withSortField(SortTarget.CREATE)
        .withSortOrder(order);
  }

  /** What the so-manieth read of a transaction has found. */
  static List<KeyValue> found(TxnResponse answer, int index) {
    return answer.getGetResponses().get(index).getKvs();
  }

  /** How many keys lie in the range of the so-manieth read, however few it asked for. */
  static long count(TxnResponse answer, int index) {
    return answer.getGetResponses().get(index).getCount();
  }

  static Optional<KeyValue> foundOne(TxnResponse answer, int index) {
    return found(answer, index).stream().findFirst();
  }
}
