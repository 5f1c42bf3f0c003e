package io.holdfast.tck.report.output;

import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import java.util.Set;

/**
 * How a test ended.
 *
 * @param id the rule's id; empty for a test of the adapter's own
 * @param name as {@code Rules.test}
 * @param level of the rule
 * @param clause which part of the contract it tests
 * @param soak whether it is left out unless asked for
 * @param proves the claims that it would refute
 * @param isNeeded whether those claims are open while it has shown nothing
 * @param status how it ended
 * @param reason in a sentence, empty if it passed
 */
public record Result(
    String id,
    String name,
    Level level,
    String clause,
    boolean soak,
    Set<Claim> proves,
    boolean isNeeded,
    Status status,
    String reason) {

  public Result {
    proves = Set.copyOf(proves);
  }

  public Result ended(Status how, String why) {
    return new Result(id, name, level, clause, soak, proves, isNeeded, how, why);
  }

  public boolean isRule() {
    return !id.isEmpty();
  }

  /** Returns how the report calls it. */
  String title() {
    return isRule() ? id : name;
  }

  /** Returns the rules of one topic, or the class of an adapter's own, to which it belongs. */
  String group() {
    return name.substring(0, name.lastIndexOf('.'));
  }
}
