package io.holdfast.tck.history;

import java.util.List;

/** One thing that the checker looks for. */
interface Rule {
  List<Violation> violations(History history, Expectations expectations);
}
