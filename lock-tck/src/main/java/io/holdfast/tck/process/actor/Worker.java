package io.holdfast.tck.process.actor;

import io.holdfast.tck.history.RequestTag;
import io.holdfast.tck.process.client.RecordedGrant;
import io.holdfast.tck.process.client.RecordedGrant.Check;
import io.holdfast.tck.process.client.RecordingClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/** One thread of a workload: asks for a lock, holds it for a moment, gives it back, and again. */
final class Worker implements Runnable {

  private final String name;
  private final Supplier<RecordingClient> client;
  private final List<String> locks;
  private final LongPredicate goesOn;
  private final Random random;

  /**
   * Makes a worker.
   *
   * @param client returns the client to be used next
   * @param goesOn tells whether there is to be another request after so many holds
   */
  Worker(
      String name,
      Supplier<RecordingClient> client,
      List<String> locks,
      LongPredicate goesOn,
      Random random) {
    this.name = name;
    this.client = client;
    this.locks = locks;
    this.goesOn = goesOn;
    this.random = random;
  }

  @Override
  public void run() {
    long held = 0;
    for (long serial = 1; goesOn.test(held); serial++) {
      RecordingClient chosen = client.get();
      String lock = locks.get(random.nextInt(locks.size()));
      RequestTag request = new RequestTag(chosen.tag(), name, serial);
      // An interrupt that came late would only make the next call fail at once.
      Thread.interrupted();
      Optional<RecordedGrant> grant = chosen.acquire(request, lock, maxWait());
      if (grant.isPresent()) {
        hold(grant.get());
        held++;
      }
      rest(10_000);
    }
  }

  private void hold(RecordedGrant grant) {
    int steps = random.nextInt(4);
    for (int step = 0; step < steps; step++) {
      grant.isHeld();
      if (grant.check() != Check.HELD) {
        break;
      }
      grant.update(Duration.ofNanos(random.nextInt(200_000)));
      rest(random.nextInt(20) == 0 ? 20_000 : 4_000);
    }
    grant.isHeld();
    grant.release();
    // Must be false by now; the checker sees to it.
    grant.isHeld();
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
