package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.engine.seam.Seam;
import io.holdfast.memory.world.InterceptedSeam;
import io.holdfast.memory.world.World;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A grant that fails on the last step to its caller, where the times of the hold begin. */
class UnreachedCallerTest {

  /** Longer than every other timer is set, so that it is known by its delay. */
  private static final Duration AT_MOST = Duration.ofHours(5);

  private static final AcquireOptions OPTIONS =
      AcquireOptions.once().atMost(AT_MOST).atLeast(Duration.ofHours(1));

  private final World world = new World(Wakeup.POLL);
  private final World.Peer other = world.process();
  private final World.Peer process = withBrokenTimers();

  /** Which of the timers of {@link #AT_MOST} cannot be set, counted from 1. */
  private int broken = 1;

  private World.Peer withBrokenTimers() {
    World.MISTAKE.set(BrokenTimers::new);
    try {
      return world.process();
    } finally {
      World.MISTAKE.remove();
    }
  }

  private final class BrokenTimers extends InterceptedSeam {
    BrokenTimers(Seam seam) {
      super(seam);
    }

    @Override
    public Timer after(long delayNanos, Runnable task) {
      if (delayNanos > AT_MOST.toNanos() / 2 && --broken == 0) {
        throw new IllegalStateException("no room for a timer (test)");
      }
      return super.after(delayNanos, task);
    }
  }

  private void assertFree(String lock) {
    world.time.advance(Duration.ofSeconds(1));
    assertThat(other.client.lock(lock).tryAcquire()).as("the lock %s", lock).isPresent();
  }

  @Test
  void oneThatIsAskedForGoesBack() {
    assertThatThrownBy(() -> process.client.lock("a").acquire(OPTIONS))
        .hasStackTraceContaining("no room for a timer");
    assertFree("a");
  }

  @Test
  void allThatAreTakenTogetherGoBack() {
    broken = 2;
    assertThatThrownBy(() -> process.client.lockAll(List.of("a", "b", "c"), OPTIONS))
        .hasStackTraceContaining("no room for a timer");
    assertFree("a");
    assertFree("b");
    assertFree("c");
  }

  @Test
  void oneForWhichNoThreadWaitsGoesBackAndItsFutureFails() {
    CompletableFuture<Grant> future = process.client.lock("a").acquireAsync(OPTIONS);
    world.time.advance(Duration.ofSeconds(1));
    assertThat(future).isCompletedExceptionally();
    assertFree("a");
  }
}
