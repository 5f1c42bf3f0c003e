package io.holdfast.zookeeper;

import io.holdfast.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
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

  /** Who asks at once in the name of one session takes it from the others, so often at most. */
  private static final int MOVES_MAX = 30;

  private static final long PAUSE_MILLIS_MAX = 256;

  /** Does a verb in nobody's name. */
  <T> T verb(Deadline deadline, Function<Steps, T> body) {
    return verb(lines.ofNobody(), deadline, body);
  }

  /**
   * Does a verb over a line. A session goes on with whoever asks for it, and who had it before
   * finds only its connection broken: then it has to take the session back, and begins again.
   * Nothing is left unsettled by that: with the new connection the servers have done with the old
   * one, and whatever it asked for was done before, or never will be.
   */
  <T> T verb(Line line, Deadline deadline, Function<Steps, T> body) {
    if (lines.isClosed()) {
      throw new BackendFailure(Effect.NONE, "The backend for %s is closed.".formatted(name), null);
    }
    Steps steps = new Steps(this, line, deadline);
    for (int moves = 0; ; moves++) {
      try {
        return body.apply(steps);
      } catch (BackendFailure failure) {
        if (!steps.mayBeginAgain() || moves == MOVES_MAX || !giveWay(moves, deadline)) {
          throw steps.halfway(failure);
        }
      } catch (BackendUnusableException unusable) {
        throw steps.halfway(unusable);
      }
    }
  }

  /**
   * Pauses for a moment, the longer the more often the session was taken back, each time another:
   * of several who take it from each other one is to get done. A connection that just broke costs
   * no pause.
   *
   * @return false if the thread was interrupted
   */
  private static boolean giveWay(int moves, Deadline deadline) {
    long most = Math.min(Math.min(1L << moves, PAUSE_MILLIS_MAX), deadline.remaining().toMillis());
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(Math.max(1, most)));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  void beforeStep() {
    beforeStepHook.run();
  }
}
