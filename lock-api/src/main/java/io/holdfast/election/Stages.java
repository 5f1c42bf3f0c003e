package io.holdfast.election;

import io.holdfast.LockName;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Where one candidacy of a name at a time is told that it leads, from before {@code elected} until
 * {@code deposed} has returned. A grant that is lost passes on at once, perhaps to a candidacy of
 * the same client: without this the two would overlap inside one process. Thread-safe.
 */
final class Stages {

  private final Map<LockName, Stage> stages = new HashMap<>();

  /** One name's, and how many candidacies want it or have it. */
  private static final class Stage {
    private final Semaphore free = new Semaphore(1);
    private int users;
  }

  /**
   * Waits until no other candidacy of that name is told anything, at most for so long. Returns
   * whether it is the turn of this one, until it leaves.
   */
  boolean enter(LockName name, Duration maxWait) throws InterruptedException {
    Stage stage = want(name);
    boolean isIn = false;
    try {
      isIn = stage.free.tryAcquire(maxWait.toNanos(), TimeUnit.NANOSECONDS);
      return isIn;
    } finally {
      if (!isIn) {
        forget(name);
      }
    }
  }

  /** Waits until no other candidacy of that name is told anything, and does not enter. */
  void awaitFree(LockName name) throws InterruptedException {
    Stage stage = want(name);
    try {
      stage.free.acquire();
      stage.free.release();
    } finally {
      forget(name);
    }
  }

  private Stage want(LockName name) {
    synchronized (stages) {
      Stage stage = stages.computeIfAbsent(name, unknown -> new Stage());
      stage.users++;
      return stage;
    }
  }

  /** Lets the next one in. */
  void leave(LockName name) {
    forget(name).free.release();
  }

  private Stage forget(LockName name) {
    synchronized (stages) {
      Stage stage = stages.get(name);
      if (stage == null) {
        throw new AssertionError("No candidacy is on the stage of " + name);
      }
      if (--stage.users == 0) {
        stages.remove(name);
      }
      return stage;
    }
  }
}
