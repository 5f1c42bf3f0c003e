package io.holdfast.engine.view;

import io.holdfast.ReleaseOutcome;
import io.holdfast.engine.hold.HeldGrant;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import java.util.Optional;

/** Gives the grant back at an unlock, and tells whether the grant was lost before it. */
final class HoldEnd {

  private HoldEnd() {}

  /** Returns the loss, if there was one. */
  static Optional<LockLostException> of(ThreadHold before, ThreadHold left) {
    HeldGrant grant = before.grant();
    if (left.isOver()) {
      return release(grant);
    }
    if (before.exclusive() > 0 && left.exclusive() == 0) {
      return downgrade(grant);
    }
    return grant.gone().map(grant::lost);
  }

  private static Optional<LockLostException> release(HeldGrant grant) {
    boolean inForce = grant.inForce();
    boolean stood = grant.gone().isEmpty();
    ReleaseOutcome outcome = grant.release();
    return switch (outcome) {
      // Even if the lease had run out: until then no other had it, or the store would not say so.
      case FREED, HANDED_ON, KEPT, STAYS -> Optional.empty();
      case SHARED -> grant.isLeftToOthers() ? unlessInForce(inForce, grant) : Optional.empty();
      case PENDING -> unlessInForce(inForce, grant);
      case LOST -> Optional.of(grant.lost(lossOf(grant)));
      case ALREADY_RELEASED ->
          stood && grant.gone().equals(Optional.of(LossReason.RELEASED))
              ? unlessInForce(inForce, grant) // Its client was closed during this release.
              : grant.gone().map(grant::lost);
      case ORPHANED -> grant.gone().map(grant::lost);
    };
  }

  /** The store was not asked, or has not answered: only the lease tells. */
  private static Optional<LockLostException> unlessInForce(boolean inForce, HeldGrant grant) {
    return inForce ? Optional.empty() : Optional.of(grant.lost(LossReason.LEASE_EXPIRED));
  }

  /** If it was not lost here before it was given back, the store did not know it any more. */
  private static LossReason lossOf(HeldGrant grant) {
    return grant
        .gone()
        .filter(reason -> reason != LossReason.RELEASED)
        .orElse(LossReason.SESSION_ENDED);
  }

  private static Optional<LockLostException> downgrade(HeldGrant grant) {
    boolean inForce = grant.inForce();
    try {
      grant.downgrade();
      return Optional.empty();
    } catch (LockLostException lost) {
      return Optional.of(lost);
    } catch (BackendUnreachableException repeated) {
      return unlessInForce(inForce, grant); // It counts as shared.
    } catch (BackendUnusableException refused) {
      if (inForce) {
        throw refused;
      }
      return unlessInForce(false, grant);
    }
  }
}
