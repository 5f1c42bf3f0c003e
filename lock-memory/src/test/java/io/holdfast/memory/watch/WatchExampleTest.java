package io.holdfast.memory.watch;

import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.election.Candidacy;
import io.holdfast.election.Candidate;
import io.holdfast.election.Leader;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.HoldfastException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.PageExamples;
import io.holdfast.record.LockRecord;
import io.holdfast.watch.Watch;
import io.holdfast.watch.WatchListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The examples of docs/watching.md. */
class WatchExampleTest {

  private static final Path PAGE = Path.of("..", "docs", "watching.md");
  private static final Path HERE =
      Path.of("src/test/java/io/holdfast/memory/watch/WatchExampleTest.java");
  private static final Duration LONG = Duration.ofSeconds(60);

  private final List<String> shown = new CopyOnWriteArrayList<>();
  private final LockClient client =
      Holdfast.builder()
          .processIdentity(new ProcessIdentity("alice"))
          .connect("memory:watch-example");

  private void show(String text) {
    shown.add(text);
  }

  private void route(Optional<String> address) {
    shown.add(address.orElse("nobody"));
  }

  private void awaitShown(String... texts) {
    await().atMost(LONG).until(() -> shown.equals(List.of(texts)));
  }

  /** The application of the example: it takes the lock and gives it back. */
  private final class Application {
    void run() {
      awaitShown("free");
      Grant grant = client.lock("orders/42").acquire();
      awaitShown("free", "alice");
      grant.release();
      awaitShown("free", "alice", "free");
    }
  }

  @Test
  void aLockIsWatched() {
    Application application = new Application();
    try (client) {
      try (Watch watch =
          client.watch(
              "orders/42",
              lock -> show(lock.holder().map(holder -> holder.process().value()).orElse("free")))) {
        application.run();
      }
    }
  }

  @Test
  void theLocksOfAPrefixAreWatched() {
    try (client) {
      Grant grant = client.lock("orders/1").acquire();
      Set<String> held = ConcurrentHashMap.newKeySet();
      Watch all =
          client.watchPrefix(
              "orders/",
              lock -> {
                if (lock.isHeld()) {
                  held.add(lock.name().value());
                } else {
                  held.remove(lock.name().value());
                }
              });
      await().atMost(LONG).until(() -> held.equals(Set.of("orders/1")));
      grant.release();
      await().atMost(LONG).until(held::isEmpty);
      all.close();
    }
  }

  @Test
  void aListenerIsToldThatTheStoreIsAway() {
    WatchListener listener =
        new WatchListener() {
          @Override
          public void changed(LockRecord lock) {
            show(lock.isHeld() ? "held" : "free");
          }

          @Override
          public void failed(HoldfastException problem) {
            show("not known: " + problem.getMessage());
          }

          @Override
          public void recovered() {
            show("known again");
          }
        };
    try (client;
        Watch ignored = client.watch("report", listener)) {
      awaitShown("free");
      listener.failed(new BackendUnreachableException("away"));
      listener.recovered();
      awaitShown("free", "not known: away", "known again");
    }
  }

  @Test
  void whoLeadsIsObserved() {
    AcquireOptions options = AcquireOptions.forever().payload(Payload.ofText("10.0.0.7:8080"));
    try (client) {
      Watch observing =
          client
              .election("billing")
              .observe(leader -> route(leader.map(Leader::payload).map(Payload::text)));
      awaitShown("nobody");
      try (Candidacy ignored = client.election("billing").stand(options, new Silent())) {
        awaitShown("nobody", "10.0.0.7:8080");
      }
      awaitShown("nobody", "10.0.0.7:8080", "nobody");
      observing.close();
    }
  }

  /** A candidate for whom it is enough to lead. */
  private static final class Silent implements Candidate {
    @Override
    public void elected(Grant term) {}

    @Override
    public void deposed(LossReason reason) {}
  }

  @Test
  void thePageShowsTheseExamples() throws IOException {
    PageExamples.requireIn(HERE, PAGE, 4);
  }
}
