package io.holdfast.cli.run;

import io.holdfast.Grant;
import io.holdfast.ReleaseOutcome;
import io.holdfast.cli.run.LockedRun.Reporter;
import java.util.Optional;

/** Gives grants back, and tells the user what that may mean. */
public final class Release {

  private Release() {}

  /** Gives a grant back; returns why it was perhaps not held until then, empty if it was. */
  public static Optional<String> of(Grant grant, Reporter reporter) {
    return told(grant, grant.release(), reporter);
  }

  /**
   * Gives a grant back under which no command began, so another process may run it at once, even
   * within the least time.
   */
  static Optional<String> unused(Grant grant, Reporter reporter) {
    return told(grant, grant.releaseUnused(), reporter);
  }

  private static Optional<String> told(Grant grant, ReleaseOutcome outcome, Reporter reporter) {
    if (outcome == ReleaseOutcome.PENDING) {
      reporter.error(
          "the store did not answer when \"%s\" was released: unless it answers soon, the lock stays held until its lease ends"
              .formatted(grant.name().value()));
    }
    return outcome == ReleaseOutcome.LOST
        ? Optional.of("it was already lost when it was released")
        : Optional.empty();
  }
}
