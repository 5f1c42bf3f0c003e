package io.holdfast.tck.history.check;

import io.holdfast.tck.history.HistoryLine;
import java.util.List;
import java.util.stream.Collectors;

/** A history shows what no correct lock shows. */
@SuppressWarnings("serial")
public final class UnsoundHistoryError extends AssertionError {

  private static final int TOLD_MAX = 10;

  private final transient List<Violation> violations;

  UnsoundHistoryError(List<Violation> violations) {
    super(describe(violations));
    this.violations = List.copyOf(violations);
  }

  /** Returns all that is wrong; not empty. */
  public List<Violation> violations() {
    return violations;
  }

  private static String describe(List<Violation> violations) {
    return violations.stream()
        .limit(TOLD_MAX)
        .map(UnsoundHistoryError::describe)
        .collect(
            Collectors.joining(
                "", "The history shows %s violations:%n".formatted(violations.size()), ""));
  }

  private static String describe(Violation violation) {
    return violation.evidence().stream()
        .map(HistoryLine::format)
        .collect(
            Collectors.joining(
                "%n    ".formatted(),
                "  %s of %s%n    "
                    .formatted(violation.getClass().getSimpleName(), violation.lock()),
                "%n".formatted()));
  }
}
