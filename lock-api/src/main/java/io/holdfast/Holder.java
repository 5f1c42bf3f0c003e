package io.holdfast;

import java.time.Instant;
import java.util.Optional;

/**
 * The request that holds a lock, as the store knows it.
 *
 * @param request its id
 * @param mode the mode in which the lock is held
 * @param process the identity that the holding process has given itself
 * @param why the reason that the holder gave, possibly empty
 * @param payload the bytes that the holder publishes
 * @param since when the lock was granted, by the store's clock; meant for people, not for decisions
 * @param liveness whether the holder's session lives
 * @param revokedAt when the holder was revoked, by the store's clock; empty if it was not
 * @param stay the time for which the request keeps the lock, or after which others may remove it;
 *     empty if only its session decides
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
    Optional<Stay> stay) {

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
