package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.holdfast.LockMode;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.format.StoredSession;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import java.time.Instant;

/**
 * A request that is being put at the end of its queue.
 *
 * @param key where it is put
 * @param since the time that is put with it
 */
record Joining(
    EtcdCalls calls, Request request, Queues.Requester requester, ByteSequence key, Instant since) {

  private static final long NO_LEASE = 0;

  boolean isShared() {
    return request.mode() == LockMode.SHARED;
  }

  StoredSession session() {
    return requester.session();
  }

  /** A request with a lock-delay outlives its session: its lease is that of a mark. */
  long lease() {
    return request.hasLockDelay() ? NO_LEASE : session().lease();
  }

  /** Returns the place that it has, if no other keeps it out, since a revision has put it. */
  Place.Holds at(long revision) {
    return new Place.Holds(key, revision, since, request.mode(), lease());
  }

  Attempt granted(long revision, Contention contention) {
    return new Attempt.Granted(requester.namespace().number(revision), since, contention);
  }
}
