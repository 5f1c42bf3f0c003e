package io.holdfast.tck.process.actor;

import io.holdfast.LockMode;
import io.holdfast.tck.history.RequestTag;
import io.holdfast.tck.history.Wanted;
import io.holdfast.tck.process.client.RecordedGrant;
import io.holdfast.tck.process.client.RecordedGrant.Check;
import io.holdfast.tck.process.client.RecordingClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks for one lock once, with a client of its own, and holds it until it is told to let go. All
 * the while it asks its grant and, if it holds the lock alone, writes to the lock's register, as an
 * application at work does.
 */
final class CommandedHolder {

  private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

  private final RecordingClient client;
  private final String lock;
  private final Optional<Duration> maxWait;
  private final Wanted wanted;
  private final Consumer<String> report;
  private final CountDownLatch letGo = new CountDownLatch(1);

  CommandedHolder(
      RecordingClient client,
      String lock,
      Optional<Duration> maxWait,
      Wanted wanted,
      Consumer<String> report) {
    this.client = client;
    this.lock = lock;
    this.maxWait = maxWait;
    this.wanted = wanted;
    this.report = report;
  }

  void letGo() {
    letGo.countDown();
  }

  /** Closes the client under it; it goes on until it sees that. */
  void closeClient() {
    client.close();
  }

  void run() throws InterruptedException {
    try (client) {
      RequestTag request = new RequestTag(client.tag(), "w", 1);
      report.accept("waiting " + request);
      Optional<RecordedGrant> grant = client.acquire(request, lock, maxWait, wanted);
      if (grant.isEmpty()) {
        report.accept("gone");
      } else {
        report.accept("holding " + grant.get().token());
        work(grant.get());
        report.accept("released " + grant.get().release());
      }
    }
  }

  private void work(RecordedGrant grant) throws InterruptedException {
    boolean wrote = false;
    while (!letGo.await(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
      grant.isHeld();
      Check check = grant.check();
      if (check == Check.LOST) {
        report.accept("lost");
        letGo.await();
        return;
      }
      if (check == Check.HELD
          && grant.mode() == LockMode.EXCLUSIVE
          && grant.update(Duration.ZERO)
          && !wrote) {
        wrote = true;
        report.accept("wrote");
      }
    }
  }
}
