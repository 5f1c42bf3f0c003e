package io.holdfast.election;

import io.holdfast.LockName;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a candidacy. Never throws, though an exception may when it is asked for its message,
 * and so may an appender: the candidate would not be deposed, and the candidacy would end.
 */
record CandidacyLog(LockName name) {

  private static final Logger LOG = LoggerFactory.getLogger("io.holdfast");

  void standingFailed(Duration pause, Throwable problem) {
    write(
        () ->
            LOG.warn(
                "Standing for \"{}\" failed, and is tried again in {} s: {}",
                name,
                pause.toSeconds(),
                problem.getMessage()),
        problem);
  }

  void leaderFailed(Throwable thrown) {
    write(
        () -> LOG.error("The leader of \"{}\" failed, and gives its term up", name, thrown),
        thrown);
  }

  void hasThrown(String method, Throwable thrown) {
    write(
        () -> LOG.error("A candidate for \"{}\" has thrown in {}()", name, method, thrown), thrown);
  }

  void roundFailed(Throwable thrown) {
    write(() -> LOG.error("Unexpected failure of a candidacy for \"{}\"", name, thrown), thrown);
  }

  private void write(Runnable entry, Throwable about) {
    try {
      entry.run();
    } catch (Throwable second) { // Languages that do not check exceptions throw any.
      writeWithoutMessage(about);
    }
  }

  private void writeWithoutMessage(Throwable about) {
    try {
      LOG.error(
          "A candidacy for \"{}\" met what cannot be logged: {}", name, about.getClass().getName());
    } catch (Throwable third) {
      return; // There is no log left to tell.
    }
  }
}
