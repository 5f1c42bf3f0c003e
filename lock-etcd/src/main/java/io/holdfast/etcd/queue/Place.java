package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.LockMode;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Mark;
import io.holdfast.etcd.format.StoredRequest;
import java.time.Instant;

/**
 * Where a request was found in its queue. Only later keys are created from then on, so no request
 * comes in ahead of it.
 */
sealed interface Place {

  /** Returns the request's key. */
  ByteSequence key();

  /** Returns the revision that created the request's key. */
  long revision();

  /** Returns since when the request is there, as it is stored. */
  Instant since();

  /** Returns the lease that the request's key is on. */
  long lease();

  /** A request with a lock-delay is on no lease until that is used up. */
  default boolean hasLockDelay() {
    return lease() == 0;
  }

  /** It holds the lock, and does so for as long as its key exists. */
  record Holds(ByteSequence key, long revision, Instant since, LockMode mode, long lease)
      implements Place {

    /** Returns the place of the same request while a predecessor keeps it out. */
    Behind behind(Predecessor predecessor, int ahead, boolean next) {
      return new Behind(key, revision, since, predecessor, ahead, mode, next, lease);
    }
  }

  /**
   * It waits, and does so for as long as the predecessor's key exists and is not downgraded.
   *
   * @param ahead how many were ahead of it then, at least 1
   * @param next whether it holds when the predecessor has left: no other request keeps it out
   */
  record Behind(
      ByteSequence key,
      long revision,
      Instant since,
      Predecessor predecessor,
      int ahead,
      LockMode mode,
      boolean next,
      long lease)
      implements Place {

    /** Returns the place that it has when the predecessor, the only one in its way, has left. */
    Holds handedOver() {
      return new Holds(key, revision, since, mode, lease);
    }

    /** Returns the same place behind the same predecessor, of which more is known now. */
    Behind behind(Predecessor asSeen) {
      return new Behind(key, revision, since, asSeen, ahead, mode, next, lease);
    }
  }

  /**
   * The request that keeps another one out: that directly ahead of an exclusive one, the last
   * exclusive one ahead of a shared one.
   *
   * @param revision the revision that created its key
   * @param watched the key whose changes tell of all that changes about it
   */
  record Predecessor(ByteSequence key, long revision, ByteSequence watched) {

    /** The predecessor as a read without marks has found it. */
    static Predecessor of(Keys keys, KeyValue entry) {
      return of(keys, entry.getKey(), entry.getCreateRevision(), entry.getLease());
    }

    static Predecessor of(Keys keys, StoredRequest request) {
      return of(keys, request.key(), request.revision(), request.lease());
    }

    /**
     * While a request with a lock-delay lives, its mark tells: the mark goes with its session and
     * with its release, and each other change of it is written to the mark, too.
     */
    private static Predecessor of(Keys keys, ByteSequence key, long revision, long lease) {
      ByteSequence watched = lease == 0 ? keys.mark(keys.seatAt(key), Mark.ALIVE) : key;
      return new Predecessor(key, revision, watched);
    }

    /** The predecessor as a read with marks has found it. */
    static Predecessor of(Keys keys, KeyValue entry, Marks marks) {
      boolean lives = marks.find(keys.seatAt(entry.getKey()), Mark.ALIVE).isPresent();
      return lives
          ? of(keys, entry)
          : new Predecessor(entry.getKey(), entry.getCreateRevision(), entry.getKey());
    }
  }
}
