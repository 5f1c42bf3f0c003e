package io.holdfast.tck.history.check;

import io.holdfast.tck.history.History;
import java.util.List;

/**
 * Tells the parts of a history that no correct lock can have shown its clients.
 *
 * <p>It accuses only where no other order of what happened inside the calls explains the history,
 * so every violation is real; a sound history is no proof, since an event that no client saw is not
 * in it.
 */
public final class HistoryChecker {

  private static final List<Rule> RULES =
      List.of(
          new ExclusionRule(),
          new StayRule(),
          new TokenRule(),
          new RegisterRule(),
          new EndedGrantRule(),
          new QueueOrderRule(),
          new LivenessRule(),
          new ResidueRule());

  private HistoryChecker() {}

  /** Returns everything that must not have happened, rule by rule; empty if all is well. */
  public static List<Violation> check(History history, Expectations expectations) {
    return RULES.stream().flatMap(rule -> rule.violations(history, expectations).stream()).toList();
  }

  /**
   * Checks like {@link #check}.
   *
   * @throws UnsoundHistoryError if something must not have happened
   */
  public static void requireSound(History history, Expectations expectations) {
    List<Violation> violations = check(history, expectations);
    if (!violations.isEmpty()) {
      throw new UnsoundHistoryError(violations);
    }
  }
}
