package io.holdfast.tck.history.check;

import io.holdfast.tck.history.History;
import java.util.List;

/** One thing that the checker looks for. */
interface Rule {
  List<Violation> violations(History history, Expectations expectations);
}
