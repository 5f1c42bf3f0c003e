package io.holdfast.tck.history.check;

import io.holdfast.tck.history.History;
import io.holdfast.tck.history.check.Violation.LeftHeld;
import java.util.List;

/** When all clients have left, nothing is held in the store. */
final class ResidueRule implements Rule {

  @Override
  public List<Violation> violations(History history, Expectations expectations) {
    return expectations.residue().stream().<Violation>map(LeftHeld::new).toList();
  }
}
