package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.election.Candidacy;
import io.holdfast.election.Candidate;
import io.holdfast.error.LossReason;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.BackendOptions;
import io.holdfast.watch.Watch;
import io.holdfast.watch.WatchListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Code of the application's throws what no logger can write. The engine goes on all the same. */
class UnloggableFailureTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  /** More than there are threads for such listeners. */
  private static final int MANY = 20;

  private static final class Unloggable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message (test)");
    }
  }

  private final MemoryStore store = new MemoryStore("unloggable", MemoryOptions.DEFAULTS);
  private final List<String> told = new CopyOnWriteArrayList<>();

  private LockClient client(Consumer<LockEvent> listener) {
    return Holdfast.builder()
        .defaultTtl(LONG)
        .heartbeat(Duration.ofMillis(200))
        .listener(listener)
        .connect(store.connect(BackendOptions.DEFAULTS));
  }

  private void tell(String what) {
    told.add(what);
    throw new Unloggable();
  }

  private void awaitTold(int times) {
    await().atMost(LONG).until(() -> told.size() >= times);
  }

  @Test
  void aListenerOfEventsIsToldOfTheNext() {
    try (LockClient client = client(event -> tell(event.toString()))) {
      client.lock("a").acquire(LONG);
      store.loseEverything();
      awaitTold(3);
    }
  }

  @Test
  void allListenersOfLossesAreTold() {
    try (LockClient client = client(event -> {})) {
      for (int i = 0; i < MANY; i++) {
        client.lock("lock-" + i).acquire(LONG).onLost(reason -> tell(reason.toString()));
      }
      store.loseEverything();
      awaitTold(MANY);
    }
  }

  @Test
  void aWatchGoesOn() {
    Throwing listener = new Throwing();
    try (LockClient client = client(event -> {});
        Watch ignored = client.watch("a", Duration.ofMillis(50), listener)) {
      awaitTold(1);
      client.lock("a").acquire(LONG);
      awaitTold(2);
    }
  }

  private final class Throwing implements WatchListener {
    @Override
    public void changed(LockRecord lock) {
      tell(lock.toString());
    }
  }

  @Test
  void aLeaderIsDeposedAndStandsAgain() {
    Candidate candidate =
        new Candidate() {
          @Override
          public void elected(Grant term) {
            tell("elected");
          }

          @Override
          public void deposed(LossReason reason) {
            tell("deposed");
          }
        };
    try (LockClient client = client(event -> {});
        Candidacy ignored = client.election("a").stand(candidate)) {
      awaitTold(3);
    }
    assertThat(told).startsWith("elected", "deposed", "elected");
  }
}
