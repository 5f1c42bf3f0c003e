package io.holdfast.tck.process.actor;

import io.holdfast.LockMode;
import io.holdfast.tck.history.RequestTag;
import io.holdfast.tck.history.Wanted;
import io.holdfast.tck.process.client.RecordedGrant;
import io.holdfast.tck.process.client.RecordedGrant.Check;
import io.holdfast.tck.process.client.RecordingClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One thread of a workload: asks for a lock, holds it for a moment, gives it back, and again.
 *
 * <p>It makes some random requests on however slow a machine, and more while its time lasts: a
 * fault that shows after a request gave up needs such requests. Its last requests wait without
 * limit, one for each lock. Before, many requests give up after a moment and hide that a lock is
 * held by no client; the last ones do not.
 */
final class Worker implements Runnable {

  private static final int RANDOM_REQUESTS_MIN = 10;

  private final String name;
  private final Supplier<RecordingClient> client;
  private final List<String> locks;
  private final BooleanSupplier timeIsLeft;
  private final BooleanSupplier over;
  private final Random random;
  private final Choices choices;
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
      WorkloadSpec spec,
      BooleanSupplier timeIsLeft,
      BooleanSupplier over,
      Random random) {
    this.name = name;
    this.client = client;
    this.locks = locks;
    this.timeIsLeft = timeIsLeft;
    this.over = over;
    this.random = random;
    this.choices = new Choices(spec, random);
  }

  @Override
  public void run() {
    while (!over.getAsBoolean() && (serial < RANDOM_REQUESTS_MIN || timeIsLeft.getAsBoolean())) {
      ask(locks.get(random.nextInt(locks.size())), choices.maxWait(), choices.wanted());
    }
    for (String lock : locks) {
      boolean held = false;
      while (!held && !over.getAsBoolean()) {
        held = ask(lock, Optional.empty(), choices.wantedAtLast());
      }
    }
  }

  /** Asks once, and returns whether the lock was held. */
  private boolean ask(String lock, Optional<Duration> maxWait, Wanted wanted) {
    RecordingClient chosen = client.get();
    RequestTag request = new RequestTag(chosen.tag(), name, ++serial);
    // An interrupt that came late would only make the next call fail at once.
    Thread.interrupted();
    Optional<RecordedGrant> grant = chosen.acquire(request, lock, maxWait, wanted);
    grant.ifPresent(held -> hold(held, wanted));
    rest(10_000);
    return grant.isPresent();
  }

  private void hold(RecordedGrant grant, Wanted wanted) {
    int steps = random.nextInt(4);
    int downgradeAt = choices.downgrades(wanted) ? random.nextInt(steps + 1) : steps;
    for (int step = 0; step < steps; step++) {
      grant.isHeld();
      if (grant.check() != Check.HELD) {
        break;
      }
      if (choices.movesItsEnd(wanted)) {
        grant.extend(choices.longestTime());
      }
      if (step == downgradeAt) {
        grant.downgrade();
        grant.isHeld();
      }
      if (grant.mode() == LockMode.EXCLUSIVE) {
        grant.update(Duration.ofNanos(random.nextInt(200_000)));
      }
      rest(random.nextInt(20) == 0 ? 20_000 : 4_000);
    }
    LockSupport.parkNanos(choices.afterItsEnd(wanted).toNanos());
    grant.isHeld();
    choices.released(grant.release());
    // Must be false by now; the checker sees to it.
    grant.isHeld();
  }

  /** Long enough that the machine does more than this: other rules run at the same time. */
  private void rest(int microsMax) {
    LockSupport.parkNanos(1_000L * random.nextInt(microsMax));
  }
}
