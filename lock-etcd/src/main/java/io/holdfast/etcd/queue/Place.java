package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.LockMode;
import io.holdfast.etcd.format.StoredRequest;
import java.time.Instant;

/**
 * Where a request was found in its queue. Only later keys are created from then on, so nobody comes
 * in ahead of it.
 */
sealed interface Place {

  /** Returns the request's key. */
  ByteSequence key();

  /** Returns the revision that created the request's key. */
  long revision();

  /** Returns since when the request is there, as it is stored. */
  Instant since();

  /** It holds the lock, and does so for as long as its key exists. */
  record Holds(ByteSequence key, long revision, Instant since, LockMode mode) implements Place {}

  /**
   * It waits, and does so for as long as the predecessor's key exists and is not downgraded.
   *
   * @param ahead how many were ahead of it then, at least 1
   * @param next whether it holds when the predecessor has left: nobody else keeps it out
   */
  record Behind(
      ByteSequence key,
      long revision,
      Instant since,
      Predecessor predecessor,
      int ahead,
      LockMode mode,
      boolean next)
      implements Place {

    /** Returns the place that it has when the predecessor, the only one in its way, has left. */
    Holds handedOver() {
      return new Holds(key, revision, since, mode);
    }
  }

  /**
   * What keeps another request out: the request directly ahead of an exclusive one, the last
   * exclusive one ahead of a shared one.
   *
   * @param revision the revision that created its key
   */
  record Predecessor(ByteSequence key, long revision) {

    static Predecessor of(KeyValue entry) {
      return new Predecessor(entry.getKey(), entry.getCreateRevision());
    }

    static Predecessor of(StoredRequest request) {
      return new Predecessor(request.key(), request.revision());
    }
  }
}
