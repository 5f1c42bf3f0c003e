package io.holdfast;

import java.time.Instant;
import java.util.Optional;

/**
 * The request that holds a lock, as the store knows it.
 *
 * @param request its id
 * @param mode how the lock is held
 * @param process who the holding process says it is
 * @param why what the holder wants the lock for, possibly empty
 * @param payload what the holder publishes
 * @param since when the lock was granted, by the store's clock: for people, not for decisions
 * @param liveness whether its session lives
 * @param revokedAt when it was revoked, by the store's clock, if it was
 */
public record Holder(
    RequestId request,
    LockMode mode,
    ProcessIdentity process,
    String why,
    Payload payload,
    Instant since,
    Liveness liveness,
    Optional<Instant> revokedAt) {}
