package io.holdfast.cli.waiting;

import io.holdfast.cli.output.Messages;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.LockInterruptedException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Does something again while the store cannot be reached, until the time for that is over. The time
 * begins when the store is first seen to be away. Not thread-safe.
 */
public final class StoreRetries {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final WaitLeft left;
  private final Messages messages;

  public StoreRetries(WaitLeft left, Messages messages) {
    this.left = left;
    this.messages = messages;
  }

  /**
   * Returns what the attempt has returned in the end.
   *
   * @throws BackendUnreachableException of the last attempt, if the time is over
   * @throws LockInterruptedException if the thread is interrupted in a pause
   */
  public <T> T until(Supplier<T> attempt) {
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
