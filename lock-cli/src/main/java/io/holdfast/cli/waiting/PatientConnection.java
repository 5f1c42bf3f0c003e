package io.holdfast.cli.waiting;

import io.holdfast.BackendUnreachableException;
import io.holdfast.LockClient;
import io.holdfast.LockInterruptedException;
import io.holdfast.cli.output.Messages;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Connects to a store that may not be reachable yet, and tries again until the wait is over. */
public final class PatientConnection {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final WaitLeft left;
  private final Messages messages;

  public PatientConnection(WaitLeft left, Messages messages) {
    this.left = left;
    this.messages = messages;
  }

  public LockClient connect(Supplier<LockClient> attempt) {
    Duration pause = FIRST_PAUSE;
    boolean told = false;
    while (true) {
      try {
        return attempt.get();
      } catch (BackendUnreachableException e) {
        left.begin();
        Optional<Duration> limit = left.limit();
        if (limit.isPresent() && limit.get().compareTo(pause) <= 0) {
          throw e;
        }
        if (!told) {
          messages.note("waiting for the store: " + e.getMessage());
          told = true;
        }
      }
      sleep(pause);
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
    }
  }

  private static void sleep(Duration pause) {
    try {
      Thread.sleep(pause.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockInterruptedException("Interrupted while waiting for the store.", e);
    }
  }
}
