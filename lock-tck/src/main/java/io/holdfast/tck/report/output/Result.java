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
    Status status,
    String reason) {

  public Result {
    proves = Set.copyOf(proves);
  }

  public Result ended(Status how, String why) {
    return new Result(id, name, level, clause, soak, proves, how, why);
  }

  public boolean isRule() {
    return !id.isEmpty();
  }
}
