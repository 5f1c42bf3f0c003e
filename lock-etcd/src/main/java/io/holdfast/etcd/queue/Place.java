package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import java.time.Instant;

/**
 * Where a request was found in its queue. Only later keys are created from then on, so nobody comes
 * in ahead of it.
 */
sealed interface Place {

  /** Returns the revision that created the request's key. */
  long revision();

  /** Returns since when the request is there, as it is stored. */
  Instant since();

  /** It is the first, and stays so for as long as its key exists. */
  record First(long revision, Instant since) implements Place {}

  /**
   * It waits, and does so for as long as the predecessor's key exists.
   *
   * @param ahead how many were ahead of it then, at least 1
   */
  record Behind(long revision, Instant since, Predecessor predecessor, int ahead) implements Place {

    /** Returns whether the predecessor was the first, so that nobody else was ahead. */
    boolean isNext() {
      return ahead == 1;
    }
  }

  /**
   * The request directly ahead of another.
   *
   * @param revision the revision that created its key
   */
  record Predecessor(ByteSequence key, long revision) {

    static Predecessor of(KeyValue entry) {
      return new Predecessor(entry.getKey(), entry.getCreateRevision());
    }
  }
}
