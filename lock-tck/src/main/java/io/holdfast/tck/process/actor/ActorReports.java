package io.holdfast.tck.process.actor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The lines that an actor has reported so far. Thread-safe. */
final class ActorReports {

  /** How often it is asked whether there is a point in waiting. */
  private static final Duration CHECKED_EVERY = Duration.ofMillis(100);

  private final List<String> lines = new ArrayList<>();

  synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  /** Returns the rest of the first line that begins with a text. */
  synchronized Optional<String> find(String beginning) {
    return lines.stream()
        .filter(line -> line.startsWith(beginning))
        .findFirst()
        .map(line -> line.substring(beginning.length()).strip());
  }

  /**
   * Waits for a line and returns its rest.
   *
   * @param check called while the line is not there; throws when waiting has become pointless
   */
  String await(String beginning, Duration limit, Runnable check) {
    awaitAny(List.of(beginning), limit, check);
    return find(beginning).orElseThrow();
  }

  /** Waits for a line that begins with one of several texts. */
  void awaitAny(List<String> beginnings, Duration limit, Runnable check) {
    long end = System.nanoTime() + limit.toNanos();
    while (!isThereWithin(beginnings, CHECKED_EVERY)) {
      check.run();
      if (System.nanoTime() - end >= 0) {
        throw new AssertionError(
            "None of %s was reported within %s, but %s".formatted(beginnings, limit, this));
      }
    }
  }

  private synchronized boolean isThereWithin(List<String> beginnings, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (beginnings.stream().noneMatch(each -> find(each).isPresent())) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("Interrupted while it waited for " + beginnings, e);
      }
    }
    return true;
  }

  @Override
  public synchronized String toString() {
    return lines.toString();
  }
}
