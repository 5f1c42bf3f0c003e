package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Op;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.spi.Contention;
import io.holdfast.spi.RequestKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Finds a request in its queue. */
record QueueSearch(Keys keys, RequestKey key) implements Question {

  private static final int QUEUE = 0;
  private static final int OWN = 1;
  private static final int MARKS = 2;

  @Override
  public List<Op> reads() {
    // Payloads of others may be large, so only its own key is read with its value.
    return List.of(
        Ops.keysOf(keys.queue(key.name())),
        Ops.get(keys.request(key)),
        Ops.get(keys.marks(key.name())));
  }

  @Override
  public Optional<Found> found(Answer answer) {
    if (answer.found(OWN).isEmpty()) {
      return Optional.of(Found.ABSENT);
    }
    List<KeyValue> queue = answer.found(QUEUE);
    KeyValue own = answer.found(OWN).get(0);
    Instant since = StoredRequest.of(keys, own).since();
    int ahead = indexOf(queue, own.getKey());
    if (ahead == 0) {
      return Optional.of(
          Found.first(
              new Place.First(own.getCreateRevision(), since),
              answer,
              Contention.of(queue.size() - 1)));
    }
    Place.Behind behind =
        new Place.Behind(
            own.getCreateRevision(), since, Place.Predecessor.of(queue.get(ahead - 1)), ahead);
    return Optional.of(
        Found.behind(
            keys,
            key,
            behind,
            Place.Predecessor.of(queue.get(0)),
            answer,
            Marks.of(keys, answer.found(MARKS))));
  }

  private static int indexOf(List<KeyValue> queue, ByteSequence key) {
    int index = 0;
    while (!queue.get(index).getKey().equals(key)) {
      index++;
    }
    return index;
  }
}
