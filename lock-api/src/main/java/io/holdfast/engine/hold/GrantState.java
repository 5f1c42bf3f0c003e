package io.holdfast.engine.hold;

import io.holdfast.error.LossReason;
import java.util.Optional;

/**
 * Where a grant stands, apart from the lease of its session. Only {@link Undisturbed} and {@link
 * RevokedButNotGivenBack} are ever left.
 */
sealed interface GrantState {

  GrantState UNDISTURBED = new Undisturbed();
  GrantState RELEASED_BY_CALLER = new ReleasedByCaller();

  /** Why the grant is not in force any more, if that is known. */
  Optional<LossReason> gone();

  /** Neither lost nor given back, as far as is known. */
  record Undisturbed() implements GrantState {
    @Override
    public Optional<LossReason> gone() {
      return Optional.empty();
    }
  }

  /** The caller has given it back. */
  record ReleasedByCaller() implements GrantState {
    @Override
    public Optional<LossReason> gone() {
      return Optional.of(LossReason.RELEASED);
    }
  }

  /** The client was closed and gives back everything it holds. */
  record ClosedByClient() implements GrantState {
    @Override
    public Optional<LossReason> gone() {
      return Optional.of(LossReason.CLIENT_CLOSED);
    }
  }

  /** The client has left it to a later life of the process. */
  record Orphaned() implements GrantState {
    @Override
    public Optional<LossReason> gone() {
      return Optional.of(LossReason.ORPHANED);
    }
  }

  /**
   * It was revoked, and stays in the store until the application gives it back, so that the
   * application has stopped its work before the lock passes on.
   */
  record RevokedButNotGivenBack() implements GrantState {
    @Override
    public Optional<LossReason> gone() {
      return Optional.of(LossReason.REVOKED);
    }
  }

  /** It is lost: the session is over, the lease ran out, or it was revoked and given back. */
  record Lost(LossReason reason) implements GrantState {
    @Override
    public Optional<LossReason> gone() {
      return Optional.of(reason);
    }
  }
}
