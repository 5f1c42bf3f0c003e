package io.holdfast.etcd.queue;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Op;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.spi.RequestKey;
import java.util.List;
import java.util.Optional;

/** A question about one request, in a transaction that asks about several. */
interface Question {

  RequestKey key();

  List<Op> reads();

  /** Returns how the request stands; empty if its queue has to be read. */
  Optional<Found> found(Answer answer);

  /**
   * The answer.
   *
   * @param all the answer to the whole transaction
   * @param from which of its reads is the question's first
   */
  record Answer(EtcdCalls calls, StoredNamespace namespace, TxnResponse all, int from) {

    /** Returns what the question's read with this index has found. */
    List<KeyValue> found(int read) {
      return Ops.found(all, from + read);
    }

    /** Returns whether a key that was read is still the one that a revision has created. */
    boolean isThere(int read, long revision) {
      return found(read).stream().anyMatch(key -> key.getCreateRevision() == revision);
    }

    /** Returns how many keys the question's read with this index has counted. */
    long count(int read) {
      return Ops.count(all, from + read);
    }
  }
}
