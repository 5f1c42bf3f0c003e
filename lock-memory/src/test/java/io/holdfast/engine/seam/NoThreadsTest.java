package io.holdfast.engine.seam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.ProcessIdentity;
import io.holdfast.engine.EngineClient;
import io.holdfast.engine.turn.EngineSettings;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The machine gives no more threads for a while: calls fail, and nothing is left behind. */
class NoThreadsTest {

  private static final Duration SHORT = Duration.ofMillis(600);
  private static final Duration LONG = Duration.ofSeconds(60);

  private final MemoryStore store = new MemoryStore("threads", MemoryOptions.DEFAULTS);
  private final AtomicBoolean exhausted = new AtomicBoolean();
  private final AtomicInteger refused = new AtomicInteger();
  private final List<LockEvent> events = new CopyOnWriteArrayList<>();
  private final LockClient client = client(SHORT, events::add);
  private final LockClient other = client(LONG, event -> {});

  private LockClient client(Duration ttl, Consumer<LockEvent> listener) {
    return EngineClient.on(
        new ThreadedSeam(this::thread),
        store.connect(BackendOptions.DEFAULTS),
        new EngineSettings(
            new ProcessIdentity("test"),
            ttl,
            Optional.empty(),
            Optional.of(LONG),
            0.01,
            "",
            false,
            List.of(listener),
            Runnable::run));
  }

  /** Fails as a thread does for which the operating system has no room. */
  private Thread thread(Runnable task) {
    return new Thread(task) {
      @Override
      public synchronized void start() {
        if (exhausted.get()) {
          refused.incrementAndGet();
          throw new OutOfMemoryError("unable to create native thread (test)");
        }
        super.start();
      }
    };
  }

  @AfterEach
  void close() {
    exhausted.set(false);
    client.close();
    other.close();
  }

  @Test
  void anAcquireForWhichNoSessionCanBeOpenedFailsAndLaterOnesSucceed() {
    exhausted.set(true);
    assertThatThrownBy(() -> client.lock("a").tryAcquire())
        .isInstanceOf(BackendUnreachableException.class)
        .hasMessageContaining("thread");
    exhausted.set(false);
    try (Grant grant = client.lock("a").acquire(LONG)) {
      grant.check();
    }
    assertThat(other.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void aWaitBegunWithoutThreadsGoesOnOnceThereAreSome() throws Exception {
    exhausted.set(true);
    Thread mender =
        new Thread(
            () -> {
              await().atMost(LONG).until(() -> refused.get() > 0);
              exhausted.set(false);
            });
    mender.start();
    try (Grant grant = client.lock("a").acquire(LONG)) {
      grant.check();
    }
    mender.join();
  }

  @Test
  void whatIsHeldStaysHeldAndIsGivenBackWithoutNewThreads() {
    Grant grant = client.lock("a").acquire(LONG);
    await().atMost(LONG).until(() -> !events.isEmpty());
    exhausted.set(true);
    // Many renewals, for which there is a thread however little else there is.
    long end = System.nanoTime() + SHORT.multipliedBy(4).toNanos();
    await().atMost(LONG).until(() -> System.nanoTime() > end);
    grant.check();
    grant.release();
    exhausted.set(false);
    assertThat(other.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void anEventThatFindsNoThreadFailsNoCallAndIsToldLater() {
    client.lock("a").acquire(LONG).release();
    exhausted.set(true);
    client.lock("b").acquire(LONG);
    assertThat(other.find("b").orElseThrow().holder()).isPresent();
    exhausted.set(false);
    await().atMost(LONG).until(() -> !events.isEmpty());
  }

  @Test
  void closingWithoutThreadsEndsEverythingAllTheSame() {
    client.lock("a").acquire(LONG);
    exhausted.set(true);
    client.close();
    exhausted.set(false);
    other.lock("a").acquire(LONG).check();
  }
}
