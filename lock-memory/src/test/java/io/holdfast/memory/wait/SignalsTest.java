package io.holdfast.memory.wait;

import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.election.Candidacy;
import io.holdfast.election.Candidate;
import io.holdfast.error.LossReason;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The engine's own signals of a loss, while as many listeners hang as there are threads. */
class SignalsTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  /** More than there are threads for listeners of losses. */
  private static final int HANGING = 20;

  private final MemoryStore store = new MemoryStore("signals", MemoryOptions.DEFAULTS);
  private final LockClient client =
      Holdfast.builder()
          .defaultTtl(LONG)
          .heartbeat(Duration.ofMillis(200))
          .connect(store.connect(BackendOptions.DEFAULTS));
  private final CountDownLatch done = new CountDownLatch(1);
  private final List<String> told = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    done.countDown();
    client.close();
  }

  private void hang() {
    try {
      done.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitTold(String what) {
    await().atMost(LONG).until(() -> told.contains(what));
  }

  private void aBody() {
    try {
      client
          .lock("body")
          .run(
              LONG,
              grant -> {
                told.add("body begins");
                new CountDownLatch(1).await();
              });
    } catch (Exception lost) {
      told.add("body ends");
    }
  }

  private final class Recorded implements Candidate {
    @Override
    public void elected(Grant term) {
      told.add("elected");
    }

    @Override
    public void deposed(LossReason reason) {
      told.add("deposed");
    }
  }

  @Test
  void aBodyIsInterruptedAndALeaderDeposedAtOnce() {
    for (int i = 0; i < HANGING; i++) {
      client.lock("lock-" + i).acquire(LONG).onLost(reason -> hang());
    }
    Thread body = new Thread(this::aBody);
    body.setDaemon(true);
    body.start();
    try (Candidacy ignored = client.election("lead").stand(new Recorded())) {
      awaitTold("body begins");
      awaitTold("elected");

      store.loseEverything();

      awaitTold("body ends");
      awaitTold("deposed");
    }
  }
}
