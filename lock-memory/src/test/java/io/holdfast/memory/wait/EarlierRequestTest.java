package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.memory.world.World;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A thread wants a lock while an earlier request of its client is being taken out of the queue.
 * Where waits are short, requests that stand behind each other's remains would fill the queues with
 * what no thread wants.
 */
class EarlierRequestTest {

  private static final Duration LATENCY = Duration.ofMillis(50);

  private final World world = new World(Wakeup.PUSH);
  private final World.Peer process = world.process();
  private final Grant held = world.process().client.lock("a").acquire();

  /** A thread's time ends; its request is on its way out of the store. */
  private void waitInVain() {
    process.seam.latency(LATENCY);
    assertThatThrownBy(() -> process.client.lock("a").acquire(LATENCY.multipliedBy(4)))
        .isInstanceOf(LockTimeoutException.class);
    process.calls.clear();
  }

  private List<String> grabsAndReleases() {
    return process.calls.stream().filter(List.of("grab", "release")::contains).toList();
  }

  @Test
  void whoComesMeanwhileJoinsTheQueueAfterIt() {
    process.network = World.dead().on("release");
    waitInVain();
    CompletableFuture<Grant> next = process.client.lock("a").acquireAsync();
    world.time.advance(LATENCY.multipliedBy(4));
    assertThat(grabsAndReleases()).containsExactly("release");

    process.network = World.Sent::pass;

    world.time.advance(Duration.ofSeconds(2)); // The release was given up and is repeated.
    assertThat(grabsAndReleases()).contains("grab");
    held.release();
    world.time.advance(Duration.ofSeconds(2));
    assertThat(next.join().isHeld()).isTrue();
  }

  @Test
  void whoComesMeanwhileAndWaitsForNothingAsksAtOnce() {
    waitInVain();

    assertThat(process.client.lock("a").tryAcquire()).isEmpty();

    assertThat(grabsAndReleases()).contains("grab");
  }

  @Test
  void whoseTimeEndsMeanwhileIsToldWhy() {
    waitInVain();

    assertThatThrownBy(() -> process.client.lock("a").acquire(LATENCY.dividedBy(2)))
        .isInstanceOf(LockTimeoutException.class)
        .hasMessageContaining("was taking an earlier request of its own back");
  }

  /** Else a release that hangs would keep a lock from its client that the others can have. */
  @Test
  void whatCannotBeTakenOutAtOnceIsNotWaitedFor() {
    process.network =
        sent -> {
          if (sent.is("release")) {
            throw new BackendFailure(Effect.NONE, "not now (test)", null);
          }
          return sent.pass();
        };
    waitInVain();

    CompletableFuture<Grant> next = process.client.lock("a").acquireAsync();

    world.time.advance(LATENCY.multipliedBy(4));
    assertThat(grabsAndReleases()).startsWith("release").contains("grab");
    process.network = World.Sent::pass;
    held.release();
    world.time.advance(Duration.ofSeconds(5));
    assertThat(next.join().isHeld()).isTrue();
  }
}
