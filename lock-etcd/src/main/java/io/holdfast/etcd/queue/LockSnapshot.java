package io.holdfast.etcd.queue;

import io.etcd.jetcd.KeyValue;
import io.holdfast.Holder;
import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.Waiter;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A lock at one moment: the requests in its queue, in order, and which of them were revoked.
 *
 * @param namespace the namespace with the base of numbers
 * @param queue the first request of the queue, or all of them
 * @param marks the marks of revoked requests
 */
record LockSnapshot(
    Keys keys, StoredNamespace namespace, LockName name, List<StoredRequest> queue, Marks marks) {

  static LockSnapshot of(
      Keys keys,
      StoredNamespace namespace,
      LockName name,
      List<KeyValue> queue,
      List<KeyValue> marks) {
    return new LockSnapshot(
        keys,
        namespace,
        name,
        queue.stream().map(entry -> StoredRequest.of(keys, entry)).toList(),
        Marks.of(keys, marks));
  }

  Optional<StoredRequest> head() {
    return queue.stream().findFirst();
  }

  Liveness liveness(StoredRequest request) {
    return marks.liveness(key(request));
  }

  Optional<KeyValue> timer(StoredRequest request) {
    return marks.timer(key(request));
  }

  /** Returns how long until the revoked head may be removed; empty if it was not revoked. */
  Optional<Duration> headDue(EtcdCalls calls) {
    return head().flatMap(head -> marks.due(calls, key(head)));
  }

  private RequestKey key(StoredRequest request) {
    return new RequestKey(name, request.request());
  }

  /** Returns the record of the lock. The whole queue must have been read. */
  LockRecord record() {
    return new LockRecord(
        name,
        head().map(head -> namespace.number(head.revision())).orElse(0L),
        head().map(this::holder),
        queue.stream()
            .skip(1)
            // Includes requests that do not wait: until they leave, they are ahead of others.
            .map(
                request ->
                    new Waiter(request.request(), request.mode(), request.process(), request.why()))
            .toList());
  }

  private Holder holder(StoredRequest head) {
    return new Holder(
        head.request(),
        head.mode(),
        head.process(),
        head.why(),
        head.payload(),
        head.since(),
        liveness(head),
        marks.revokedAt(key(head)));
  }
}
