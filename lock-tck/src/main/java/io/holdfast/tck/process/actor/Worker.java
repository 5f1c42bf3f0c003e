package io.holdfast.tck.process.actor;

import io.holdfast.LockMode;
import io.holdfast.tck.history.RequestTag;
import io.holdfast.tck.process.client.RecordedGrant;
import io.holdfast.tck.process.client.RecordedGrant.Check;
import io.holdfast.tck.process.client.RecordingClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One thread of a workload: asks for a lock, holds it for a moment, gives it back, and again.
 *
 * <p>It makes some random requests on however slow a machine, and more while its time lasts: a
 * fault that shows after a request gave up needs such requests. Its last requests wait without
 * limit, one for each lock. Before, many requests give up after a moment and hide that a lock is
 * held by nobody; the last ones do not.
 */
final class Worker implements Runnable {

  private static final int RANDOM_REQUESTS_MIN = 10;

  private final String name;
  private final Supplier<RecordingClient> client;
  private final List<String> locks;
  private final Set<LockMode> modes;
  private final BooleanSupplier timeIsLeft;
  private final BooleanSupplier over;
  private final Random random;
  private long serial;

  /**
   * Makes a worker.
   *
   * @param client returns the client to be used next
   * @param timeIsLeft tells whether the time for random requests lasts
   * @param over tells whether the clients are closed, so that no request can be served any more
   */
  Worker(
      String name,
      Supplier<RecordingClient> client,
      List<String> locks,
      Set<LockMode> modes,
      BooleanSupplier timeIsLeft,
      BooleanSupplier over,
      Random random) {
    this.name = name;
    this.client = client;
    this.locks = locks;
    this.modes = modes;
    this.timeIsLeft = timeIsLeft;
    this.over = over;
    this.random = random;
  }

  @Override
  public void run() {
    while (!over.getAsBoolean() && (serial < RANDOM_REQUESTS_MIN || timeIsLeft.getAsBoolean())) {
      ask(locks.get(random.nextInt(locks.size())), maxWait());
    }
    for (String lock : locks) {
      boolean held = false;
      while (!held && !over.getAsBoolean()) {
        held = ask(lock, Optional.empty());
      }
    }
  }

  /** Asks once, and returns whether the lock was held. */
  private boolean ask(String lock, Optional<Duration> maxWait) {
    RecordingClient chosen = client.get();
    RequestTag request = new RequestTag(chosen.tag(), name, ++serial);
    // An interrupt that came late would only make the next call fail at once.
    Thread.interrupted();
    Optional<RecordedGrant> grant = chosen.acquire(request, lock, maxWait, mode());
    grant.ifPresent(this::hold);
    rest(10_000);
    return grant.isPresent();
  }

  private void hold(RecordedGrant grant) {
    int steps = random.nextInt(4);
    for (int step = 0; step < steps; step++) {
      grant.isHeld();
      if (grant.check() != Check.HELD) {
        break;
      }
      if (grant.mode() == LockMode.EXCLUSIVE) {
        grant.update(Duration.ofNanos(random.nextInt(200_000)));
      }
      rest(random.nextInt(20) == 0 ? 20_000 : 4_000);
    }
    grant.isHeld();
    grant.release();
    // Must be false by now; the checker sees to it.
    grant.isHeld();
  }

  private LockMode mode() {
    return modes.contains(LockMode.SHARED) && random.nextInt(3) == 0
        ? LockMode.SHARED
        : LockMode.EXCLUSIVE;
  }

  private Optional<Duration> maxWait() {
    int choice = random.nextInt(100);
    if (choice < 15) {
      return Optional.of(Duration.ZERO);
    } else if (choice < 50) {
      return Optional.of(Duration.ofMillis(1 + random.nextInt(20)));
    } else if (choice < 80) {
      return Optional.of(Duration.ofMillis(500 + random.nextInt(1_500)));
    }
    return Optional.empty();
  }

  /** Long enough that the machine does more than this: other rules run at the same time. */
  private void rest(int microsMax) {
    LockSupport.parkNanos(1_000L * random.nextInt(microsMax));
  }
}
