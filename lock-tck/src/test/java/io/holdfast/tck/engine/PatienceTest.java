package io.holdfast.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.BackendUnreachableException;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockTimeoutException;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.tck.faults.FaultyBackend;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.memory.MemoryOptions;
import io.holdfast.tck.memory.MemoryStore;
import io.holdfast.tck.time.VirtualSeam;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A caller waits about as long as it said, and calls that hang are nobody else's business. */
class PatienceTest {

  private static final Duration SHORT = Duration.ofMillis(100);

  /** A call on the caller's own thread cannot be left, so its deadline is the overrun. */
  @Test
  void everyCallOnTheCallersThreadEndsSoonAfterItsPatience() {
    World world = new World(Wakeup.POLL);
    World.Peer dead = world.process();
    dead.client.lock("a").acquire();
    dead.network =
        sent -> {
          throw new VirtualSeam.Hang();
        };
    world.time.advance(Duration.ofSeconds(17));
    World.Peer caller = world.process();
    Map<String, Duration> deadlines = new TreeMap<>();
    caller.network =
        sent -> {
          Deadline deadline = (Deadline) sent.args().get(sent.args().size() - 1);
          deadlines.merge(
              sent.verb(),
              deadline.remaining(),
              (one, other) -> one.compareTo(other) > 0 ? one : other);
          return sent.pass();
        };
    Grant grant = caller.client.lock("a").acquire(SHORT);
    assertThat(grant.isHeld()).isTrue();
    // All others are made in the background.
    assertThat(deadlines.get("open")).isLessThanOrEqualTo(Duration.ofMillis(500));
    assertThat(deadlines.get("grab")).isLessThanOrEqualTo(Duration.ofMillis(500));
  }

  @Test
  void aWaitThatIsUpEndsAtOnce() {
    World world = new World(Wakeup.POLL);
    World.Peer holder = world.process();
    holder.client.lock("a").acquire();
    assertThatThrownBy(() -> world.process().client.lock("a").acquire(SHORT))
        .isInstanceOf(LockTimeoutException.class);
    assertThat(Duration.ofNanos(world.time.nanos())).isLessThan(SHORT.plusMillis(10));
  }

  @Test
  void anyNumberOfCallsThatHangLoseNoLockAndFurtherOnesFailAtOnce() {
    FaultyBackend faulty =
        new FaultyBackend(
            new MemoryStore("hanging", MemoryOptions.DEFAULTS).connect(BackendOptions.DEFAULTS));
    CountDownLatch hung = new CountDownLatch(1);
    try (LockClient client = Holdfast.builder().defaultTtl(Duration.ofSeconds(2)).connect(faulty)) {
      Grant grant = client.lock("sound").acquire();
      // A driver that does not keep its deadlines.
      faulty.every(
          Verb.GRAB,
          call -> call.lock().orElseThrow().value().startsWith("stuck"),
          call -> {
            awaitQuietly(hung);
            throw World.unreachable();
          });
      for (int i = 0; i < 40; i++) {
        String name = "stuck " + i;
        Thread caller =
            new Thread(
                () -> {
                  try {
                    client.lock(name).acquire(SHORT);
                  } catch (BackendUnreachableException expected) {
                    assertThat(expected).hasMessageContaining(name);
                  }
                });
        caller.setDaemon(true);
        caller.start();
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                try {
                  client.lock("another").acquire(SHORT).release();
                  return false;
                } catch (BackendUnreachableException e) {
                  return String.valueOf(e.getMessage()).contains("hang");
                } catch (LockTimeoutException e) {
                  return false;
                }
              });
      // Longer than a lease: heartbeats went on.
      await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(60)).until(grant::isHeld);
      hung.countDown();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
