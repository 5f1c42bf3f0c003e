package io.holdfast.record;

import io.holdfast.LockMode;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The request that holds a lock, as the store knows it.
 *
 * @param request its id
 * @param mode the mode in which the lock is held
 * @param process the identity that the holding process has given itself
 * @param why the reason that the holder gave, possibly empty
 * @param payload the bytes that the holder publishes
 * @param since when the lock was granted, by the store's clock; in etcd and ZooKeeper when it was
 *     asked for, in etcd by the holder's clock; meant for people, not for decisions
 * @param liveness whether the holder's session lives
 * @param revokedAt when the holder was revoked, by the store's clock, in etcd by the revoker's;
 *     empty if it was not
 * @param stay the time for which the request keeps the lock, or after which others may remove it;
 *     empty if only its session decides
 * @param countsFor how long it counts if its session is not renewed, by the store's clock when it
 *     answered: the rest of the lease, or of the stay if that ends first; empty if it does not
 *     count, or the store does not tell, as etcd and ZooKeeper. By it, two readings of an unchanged
 *     holder differ
 * @param ownNumber the number of its grant, in stores that give each of the requests that share a
 *     lock a number of its own; empty if it is that of the {@linkplain LockRecord#numberOf record}
 */
public record Holder(
    RequestId request,
    LockMode mode,
    ProcessIdentity process,
    String why,
    Payload payload,
    Instant since,
    Liveness liveness,
    Optional<Instant> revokedAt,
    Optional<Stay> stay,
    Optional<Duration> countsFor,
    OptionalLong ownNumber) {

  /** One that has the record's number, where the store does not tell how long it counts. */
  public Holder(
      RequestId request,
      LockMode mode,
      ProcessIdentity process,
      String why,
      Payload payload,
      Instant since,
      Liveness liveness,
      Optional<Instant> revokedAt,
      Optional<Stay> stay) {
    this(
        request,
        mode,
        process,
        why,
        payload,
        since,
        liveness,
        revokedAt,
        stay,
        Optional.empty(),
        OptionalLong.empty());
  }

  /** A holder for which only its session decides. */
  public Holder(
      RequestId request,
      LockMode mode,
      ProcessIdentity process,
      String why,
      Payload payload,
      Instant since,
      Liveness liveness,
      Optional<Instant> revokedAt) {
    this(request, mode, process, why, payload, since, liveness, revokedAt, Optional.empty());
  }

  /** Returns whether no client may remove it at present. Meant for people. */
  public boolean counts() {
    return liveness.counts();
  }
}
