package io.holdfast.etcd.queue;

import io.etcd.jetcd.KeyValue;
import io.holdfast.Holder;
import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.Waiter;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

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

  QueueOrder order() {
    return new QueueOrder(queue.stream().map(StoredRequest::mode).toList());
  }

  List<StoredRequest> holders() {
    return queue.subList(0, order().holders());
  }

  int indexOf(RequestId request) {
    return queue.stream().map(StoredRequest::request).toList().indexOf(request);
  }

  /** Returns where one of the requests stands. */
  Place place(int index) {
    StoredRequest own = queue.get(index);
    QueueOrder order = order();
    OptionalInt predecessor = order.predecessor(index);
    if (predecessor.isEmpty()) {
      return new Place.Holds(own.key(), own.revision(), own.since(), own.mode());
    }
    return new Place.Behind(
        own.key(),
        own.revision(),
        own.since(),
        Place.Predecessor.of(queue.get(predecessor.getAsInt())),
        index,
        own.mode(),
        order.isNext(index));
  }

  Liveness liveness(StoredRequest request) {
    return marks.liveness(key(request));
  }

  Optional<KeyValue> timer(StoredRequest request) {
    return marks.timer(key(request));
  }

  /** Returns how long until the first of the revoked holders may be removed; empty if none was. */
  Optional<Duration> firstDue(EtcdCalls calls) {
    return holders().stream()
        .flatMap(holder -> marks.due(calls, key(holder)).stream())
        .min(Comparator.naturalOrder());
  }

  private RequestKey key(StoredRequest request) {
    return new RequestKey(name, request.request());
  }

  /** Returns the record of the lock. The whole queue must have been read. */
  LockRecord record() {
    return new LockRecord(
        name,
        queue.stream().findFirst().map(first -> namespace.number(first.revision())).orElse(0L),
        holders().stream().map(this::holder).toList(),
        queue.stream()
            .skip(order().holders())
            // Includes requests that do not wait: until they leave, they are ahead of others.
            .map(
                request ->
                    new Waiter(request.request(), request.mode(), request.process(), request.why()))
            .toList());
  }

  private Holder holder(StoredRequest request) {
    return new Holder(
        request.request(),
        request.mode(),
        request.process(),
        request.why(),
        request.payload(),
        request.since(),
        liveness(request),
        marks.revokedAt(key(request)));
  }
}
