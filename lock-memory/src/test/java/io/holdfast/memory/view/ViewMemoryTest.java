package io.holdfast.memory.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryStore;
import io.holdfast.view.LockView;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client remembers no thread that it need not remember. */
class ViewMemoryTest {

  private static final int THREADS = 300;

  /** The engine may know the last of them a little longer. */
  private static final int STRAGGLERS = 130;

  private final Threads threads = Threads.platform();
  private final String store = "views-" + UUID.randomUUID();
  private final LockClient client = Holdfast.connect("memory:" + store);

  @AfterEach
  void close() {
    client.close();
    MemoryStore.forget(store);
  }

  private List<WeakReference<Thread>> ended(AcquireOptions options, Consumer<LockView> task) {
    List<WeakReference<Thread>> ended = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      LockView view = client.lock("lock " + i).asLock(options);
      Threads.Running running = threads.start(() -> task.accept(view));
      running.ends();
      ended.add(new WeakReference<>(running.thread()));
    }
    return ended;
  }

  private static void assertForgotten(List<WeakReference<Thread>> threads) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              System.gc();
              return threads.stream().filter(each -> each.get() != null).count() <= STRAGGLERS;
            });
  }

  @Test
  void aThreadThatUnlockedIsForgotten() {
    assertForgotten(ended(AcquireOptions.forever(), ViewContract::locksAndUnlocks));
    assertThat(client.list("")).isEmpty();
  }

  @Test
  @SuppressWarnings("LockNotBeforeTry") // They end without unlocking.
  void aThreadThatEndedWithoutUnlockingIsForgottenAfterItsGrantIsLost() {
    AcquireOptions brief = AcquireOptions.forever().atMost(Duration.ofMillis(1));
    assertForgotten(ended(brief, LockView::lock));
  }
}
