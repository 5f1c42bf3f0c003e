package io.holdfast.zookeeper;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.data.ACL;

/**
 * What all verbs of a backend share: how the ensemble is called, and what is done before each
 * request.
 *
 * @param lines where the lines to it come from
 * @param tick the servers' tick: by so much a session outlives its TTL there
 * @param rights whose the nodes are
 * @param beforeStepHook is run before each request of a verb
 */
record Link(Lines lines, String name, Duration tick, List<ACL> rights, Runnable beforeStepHook) {

  /** Begins a verb in nobody's name. */
  Steps begin(Deadline deadline) {
    return begin(lines.ofNobody(), deadline);
  }

  /** Begins a verb in the name of a session. */
  Steps begin(Line line, Deadline deadline) {
    if (lines.isClosed()) {
      throw new BackendFailure(Effect.NONE, "The backend for %s is closed.".formatted(name), null);
    }
    return new Steps(this, line, deadline);
  }

  void beforeStep() {
    beforeStepHook.run();
  }
}
