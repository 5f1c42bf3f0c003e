package io.holdfast.etcd.queue;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Op;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Seat;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.record.Liveness;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Obstacle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds a request in its queue. */
record QueueSearch(Keys keys, RequestKey key) implements Question {

  private static final int QUEUE = 0;
  private static final int MARKS = 1;

  /** Its value tells whether it was downgraded, and so who holds with it and who waits. */
  private static final int FIRST = 2;

  private static final int OWN = 3;

  /** An answer names so many at most; who removes them and looks again sees the others. */
  private static final int OBSTACLES_MAX = 100;

  private static final int TIMES_MAX = 64;

  @Override
  public List<Op> reads() {
    // Payloads of others may be large, so only its own key and the first are read with values.
    List<Op> reads = new ArrayList<>();
    reads.add(Ops.keysOf(keys.queue(key.name())));
    reads.add(Ops.get(keys.marks(key.name())));
    reads.add(Ops.first(keys.queue(key.name())));
    reads.addAll(SeatSearch.reads(keys, key));
    return reads;
  }

  @Override
  public Optional<Found> found(Answer answer) {
    return SeatSearch.find(key, answer.all(), answer.from() + OWN)
        .filter(own -> Marks.of(keys, answer.found(MARKS)).isItsOwners(keys.seatAt(own.getKey())))
        .map(own -> found(answer, own))
        .or(() -> Optional.of(Found.ABSENT));
  }

  private Found found(Answer answer, KeyValue entry) {
    List<KeyValue> queue = answer.found(QUEUE);
    StoredRequest own = StoredRequest.of(keys, entry);
    int index = queue.stream().map(KeyValue::getKey).toList().indexOf(own.key());
    boolean firstShares = answer.found(FIRST).stream().anyMatch(StoredRequest::isShared);
    QueueOrder order = QueueOrder.of(queue, firstShares);
    Place.Holds holds =
        new Place.Holds(
            own.key(), own.revision(), own.since(), order.modes().get(index), own.lease());
    if (order.predecessor(index).isEmpty()) {
      return Found.holding(holds, answer, Contention.of(queue.size() - order.holders()));
    }
    KeyValue predecessor = queue.get(order.predecessor(index).getAsInt());
    Marks marks = Marks.of(keys, answer.found(MARKS));
    Place.Behind behind =
        holds.behind(Place.Predecessor.of(keys, predecessor, marks), index, order.isNext(index));
    return marks.areQuiet()
        ? Found.waiting(behind, List.of(), Optional.empty())
        : waiting(answer, behind, queue.subList(0, index), order.holders(), marks);
  }

  /** Any of those ahead may be in the way: the holders are overtaken, the others leave. */
  private Found waiting(
      Answer answer, Place.Behind behind, List<KeyValue> ahead, int holders, Marks marks) {
    List<Seat> seats = ahead.stream().map(entry -> keys.seatAt(entry.getKey())).toList();
    StoredRequest first = StoredRequest.of(keys, answer.found(FIRST).get(0));
    List<Obstacle> obstacles = new ArrayList<>();
    for (int i = 0; i < seats.size() && obstacles.size() < OBSTACLES_MAX; i++) {
      Liveness liveness = marks.liveness(seats.get(i));
      if (!liveness.counts()) {
        RequestId request = marks.request(seats.get(i)).orElseThrow();
        Observed head =
            i < holders
                ? observed(answer, ahead.get(i), request)
                : observed(answer, ahead.get(0), first.request());
        obstacles.add(new Obstacle(head, request, liveness));
      }
    }
    // A request that looks when the first of these times is over sees the others.
    List<Seat> holding = seats.subList(0, Math.min(holders, TIMES_MAX));
    return Found.waiting(behind, obstacles, marks.firstDue(answer.calls(), holding));
  }

  private Observed observed(Answer answer, KeyValue entry, RequestId request) {
    long number = answer.namespace().number(entry.getCreateRevision());
    return new Observed(key.name(), number, request);
  }
}
