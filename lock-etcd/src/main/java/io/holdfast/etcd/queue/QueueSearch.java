package io.holdfast.etcd.queue;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Op;
import io.holdfast.Liveness;
import io.holdfast.LockMode;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Obstacle;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds a request in its queue.
 *
 * @param asked the mode that it has asked for; empty if that is not remembered
 */
record QueueSearch(Keys keys, RequestKey key, Optional<LockMode> asked) implements Question {

  private static final int QUEUE = 0;
  private static final int OWN = 1;
  private static final int MARKS = 2;

  /** Read for a request that may be shared, which a downgraded first lets in. */
  private static final int FIRST = 3;

  private static final int OWN_SHARED = 4;

  @Override
  public List<Op> reads() {
    // Payloads of others may be large, so only its own key and the first are read with values.
    List<Op> reads = new ArrayList<>();
    reads.add(Ops.keysOf(keys.queue(key.name())));
    reads.add(Ops.get(keys.request(key, asked.orElse(LockMode.EXCLUSIVE))));
    reads.add(Ops.get(keys.marks(key.name())));
    if (mayBeShared()) {
      reads.add(Ops.first(keys.queue(key.name())));
    }
    if (asked.isEmpty()) {
      reads.add(Ops.get(keys.request(key, LockMode.SHARED)));
    }
    return reads;
  }

  private boolean mayBeShared() {
    return asked.orElse(LockMode.SHARED) == LockMode.SHARED;
  }

  @Override
  public Optional<Found> found(Answer answer) {
    List<KeyValue> shared = asked.isEmpty() ? answer.found(OWN_SHARED) : List.of();
    return Stream.concat(answer.found(OWN).stream(), shared.stream())
        .findFirst()
        .map(own -> found(answer, own))
        .or(() -> Optional.of(Found.ABSENT));
  }

  private Found found(Answer answer, KeyValue entry) {
    List<KeyValue> queue = answer.found(QUEUE);
    StoredRequest own = StoredRequest.of(keys, entry);
    int index = queue.stream().map(KeyValue::getKey).toList().indexOf(own.key());
    // Whether another one, the first, was downgraded makes no difference to an exclusive one.
    Optional<KeyValue> first =
        mayBeShared()
            ? answer.found(FIRST).stream().findFirst()
            : Optional.of(entry).filter(isFirst -> index == 0);
    QueueOrder order = QueueOrder.of(queue, first);
    if (order.predecessor(index).isEmpty()) {
      Place.Holds holds =
          new Place.Holds(own.key(), own.revision(), own.since(), order.modes().get(index));
      return Found.holding(holds, answer, Contention.of(queue.size() - order.holders()));
    }
    KeyValue predecessor = queue.get(order.predecessor(index).getAsInt());
    Place.Behind behind =
        new Place.Behind(
            own.key(),
            own.revision(),
            own.since(),
            Place.Predecessor.of(predecessor),
            index,
            order.modes().get(index),
            order.isNext(index));
    return waiting(answer, behind, queue.subList(0, index));
  }

  /** Only holders are revoked, and any of those ahead may hold. */
  private Found waiting(Answer answer, Place.Behind behind, List<KeyValue> ahead) {
    Marks marks = Marks.of(keys, answer.found(MARKS));
    if (marks.byKey().isEmpty()) {
      return Found.waiting(behind, List.of(), Optional.empty());
    }
    List<Obstacle> obstacles = new ArrayList<>();
    List<Duration> due = new ArrayList<>();
    for (KeyValue entry : ahead) {
      RequestKey holder = keys.requestAt(entry.getKey());
      Liveness liveness = marks.liveness(holder);
      if (liveness != Liveness.LIVE) {
        long number = answer.namespace().number(entry.getCreateRevision());
        Observed observed = new Observed(key.name(), number, holder.request());
        obstacles.add(new Obstacle(observed, holder.request(), liveness));
      }
      marks.due(answer.calls(), holder).ifPresent(due::add);
    }
    return Found.waiting(behind, obstacles, due.stream().min(Comparator.naturalOrder()));
  }
}
