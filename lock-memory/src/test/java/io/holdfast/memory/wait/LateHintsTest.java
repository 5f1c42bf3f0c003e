package io.holdfast.memory.wait;

import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.faults.FaultyBackend;
import io.holdfast.tck.faults.Verb;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Hints that come to be had after the engine has given the call up. */
class LateHintsTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  @Test
  void hintsThatBeginTooLateAreStopped() {
    MemoryStore store = new MemoryStore("late", MemoryOptions.DEFAULTS.wakeup(Wakeup.PUSH));
    FaultyBackend faults = new FaultyBackend(store.connect(BackendOptions.DEFAULTS));
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    faults.next(
        Verb.LISTEN,
        call -> {
          awaitWithoutDeadline(second);
          return (AutoCloseable) stopped::countDown;
        });
    faults.next(
        Verb.LISTEN,
        call -> {
          second.countDown(); // Asked again: so the first call was given up.
          return call.proceed();
        });
    try (LockClient holder = Holdfast.builder().connect(store.connect(BackendOptions.DEFAULTS));
        LockClient waiter = Holdfast.builder().connect(faults)) {
      Grant held = holder.lock("a").acquire();
      Thread waiting =
          new Thread(
              () -> {
                waiter.lock("a").acquire(LONG).release();
                first.countDown();
              });
      waiting.start();
      await().atMost(LONG).until(() -> stopped.getCount() == 0);
      held.release();
      await().atMost(LONG).until(() -> first.getCount() == 0);
    }
  }

  private static void awaitWithoutDeadline(CountDownLatch latch) {
    await().atMost(LONG).until(() -> latch.getCount() == 0);
  }
}
