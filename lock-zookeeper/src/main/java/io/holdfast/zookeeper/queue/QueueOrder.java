package io.holdfast.zookeeper.queue;

import io.holdfast.LockMode;
import io.holdfast.record.RequestId;
import io.holdfast.spi.answer.Contention;
import io.holdfast.zookeeper.layout.RequestCreation;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.RememberedPosition;
import io.holdfast.zookeeper.session.RememberedPosition.Holding;
import io.holdfast.zookeeper.session.RememberedPosition.Waiting;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A queue in its order, and its consequences: who holds the lock, and who keeps whom out. The
 * holders are the first request if it is exclusive, or else all shared ones before the first
 * exclusive one. Names tell the modes that were asked for. Only the first may share a lock that it
 * has asked to have alone: a downgrade is for holders, and an exclusive holder is the first.
 *
 * @param firstShares whether the first is known to share the lock, in either mode that it has asked
 *     for
 */
record QueueOrder(List<RequestNode> queue, boolean firstShares) {

  static final QueueOrder EMPTY = new QueueOrder(List.of(), false);

  static QueueOrder of(List<RequestNode> queue) {
    return new QueueOrder(queue, false);
  }

  QueueOrder withFirst(Entry first) {
    return new QueueOrder(queue, first.shares());
  }

  private boolean shares(int index) {
    return queue.get(index).asked() == LockMode.SHARED || (index == 0 && firstShares);
  }

  int size() {
    return queue.size();
  }

  RequestNode first() {
    return queue.get(0);
  }

  int indexOf(RequestId request) {
    for (int i = 0; i < queue.size(); i++) {
      if (queue.get(i).request().equals(request)) {
        return i;
      }
    }
    return -1;
  }

  /** Returns those that hold the lock. */
  List<RequestNode> holders() {
    int holding = Math.min(1, queue.size());
    if (holding > 0 && shares(0)) {
      while (holding < queue.size() && shares(holding)) {
        holding++;
      }
    }
    return queue.subList(0, holding);
  }

  List<RequestNode> waiters() {
    return queue.subList(holders().size(), queue.size());
  }

  Contention contention() {
    return Contention.of(waiters().size());
  }

  boolean holds(int index) {
    return index == 0 || (shares(index) && lastExclusiveBefore(index).isEmpty());
  }

  /** Returns whether a downgrade of the first would make a difference to another. */
  boolean dependsOnFirst(int index) {
    return index > 0
        && !shares(0)
        && lastExclusiveBefore(index).equals(OptionalInt.of(0))
        && (shares(index) || index > 1);
  }

  private OptionalInt lastExclusiveBefore(int index) {
    for (int i = index - 1; i >= 0; i--) {
      if (!shares(i)) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /** Returns which request keeps another out that waits. */
  RequestNode keeper(int index) {
    return queue.get(shares(index) ? lastExclusiveBefore(index).orElseThrow() : index - 1);
  }

  RememberedPosition position(int index, RequestCreation creation) {
    if (holds(index)) {
      return new Holding(
          creation,
          shares(index) ? LockMode.SHARED : LockMode.EXCLUSIVE,
          0,
          index > 0 ? Optional.of(queue.get(index - 1)) : Optional.empty(),
          waiters().stream().findFirst());
    }
    OptionalInt exclusive = lastExclusiveBefore(index);
    boolean isDirectlyBehind = shares(index) || exclusive.equals(OptionalInt.of(index - 1));
    return new Waiting(
        creation,
        index,
        first(),
        keeper(index),
        shares(index) ? lastExclusiveBefore(exclusive.orElseThrow()).isEmpty() : index == 1,
        isDirectlyBehind || exclusive.isEmpty()
            ? Optional.empty()
            : Optional.of(queue.get(exclusive.getAsInt())),
        exclusive.isEmpty() ? List.copyOf(queue.subList(0, index)) : List.of());
  }
}
