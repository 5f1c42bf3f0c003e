package io.holdfast.etcd.queue;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Op;
import io.holdfast.LockMode;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.spi.RequestKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds a request of which it is not remembered which seat it has. */
final class SeatSearch {

  /** How many reads that takes. */
  static final int READS = 2;

  private SeatSearch() {}

  /** Reads all that its session has in the queue: as a rule the request alone. */
  static List<Op> reads(Keys keys, RequestKey key) {
    return Stream.of(LockMode.EXCLUSIVE, LockMode.SHARED)
        .map(mode -> Ops.get(keys.requests(key.name(), key.request().session(), mode)))
        .toList();
  }

  /**
   * Finds it in what was read.
   *
   * @param from which read of the transaction is the first of these
   */
  static Optional<KeyValue> find(RequestKey key, TxnResponse answer, int from) {
    return IntStream.range(from, from + READS)
        .mapToObj(read -> Ops.found(answer, read))
        .flatMap(List::stream)
        .filter(entry -> StoredRequest.serial(entry) == key.request().serial())
        .findFirst();
  }
}
