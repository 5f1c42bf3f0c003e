package io.holdfast.etcd.queue;

import io.etcd.jetcd.KeyValue;
import io.holdfast.LockName;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.LeaseTimes;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Seat;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.spi.answer.Attempt;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A lock at one moment: the requests in its queue, in order, and their marks.
 *
 * @param namespace the namespace with the base of numbers
 * @param queue the first request of the queue, or all of them
 * @param marks the marks of its requests
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
    Place.Holds holds =
        new Place.Holds(own.key(), own.revision(), own.since(), own.mode(), own.lease());
    return predecessor.isEmpty()
        ? holds
        : holds.behind(
            Place.Predecessor.of(keys, queue.get(predecessor.getAsInt())),
            index,
            order.isNext(index));
  }

  /** Whether one of the requests was given back: a late copy of its grab is not granted. */
  boolean isGivenBack(int index) {
    return marks.isGivenBack(seat(queue.get(index)));
  }

  /** The answer to a request that is not in the queue. */
  Attempt.Refused refused(EtcdCalls calls) {
    LeaseTimes times = marks.times(calls, holderSeats());
    return new Attempt.Refused(record(times), marks.firstDue(holderSeats(), times));
  }

  /** Returns the leases with which the times of the holders are over that hold for a time. */
  Stream<Long> timedLeases() {
    return marks.timedLeases(holderSeats());
  }

  private List<Seat> holderSeats() {
    return holders().stream().map(this::seat).toList();
  }

  private Seat seat(StoredRequest request) {
    return keys.seatAt(request.key());
  }

  /**
   * Returns the record of the lock. The whole queue must have been read.
   *
   * @param times of its {@link #timedLeases}
   */
  LockRecord record(LeaseTimes times) {
    return new LockRecord(
        name,
        queue.stream().findFirst().map(first -> namespace.number(first.revision())).orElse(0L),
        holders().stream().map(holder -> holder(holder, times)).toList(),
        queue.stream()
            .skip(order().holders())
            // Includes requests that do not wait: until they leave, they are ahead of others.
            .map(StoredRequest::waiter)
            .toList());
  }

  private Holder holder(StoredRequest request, LeaseTimes times) {
    Seat seat = seat(request);
    return new Holder(
        request.request(),
        request.mode(),
        request.process(),
        request.why(),
        request.payload(),
        request.since(),
        marks.liveness(seat),
        marks.revokedAt(seat),
        marks.stay(seat, times),
        Optional.empty(),
        OptionalLong.of(namespace.number(request.revision())));
  }
}
