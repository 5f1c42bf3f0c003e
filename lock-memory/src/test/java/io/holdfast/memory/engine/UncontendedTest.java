package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.seam.Seam;
import io.holdfast.memory.world.InterceptedSeam;
import io.holdfast.memory.world.World;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a lock that nobody else wants costs beside two calls of the store on the caller's thread.
 */
class UncontendedTest {

  private final List<String> asked = new ArrayList<>();

  /** Remembers timers, waits, and calls on threads of the engine. */
  private final class Observed extends InterceptedSeam {
    Observed(Seam seam) {
      super(seam);
    }

    @Override
    public Timer after(long delayNanos, Runnable task) {
      asked.add("timer");
      return super.after(delayNanos, task);
    }

    @Override
    public <T> void call(
        Runner runner,
        Duration timeout,
        Verb<T> verb,
        Consumer<T> onValue,
        Consumer<RuntimeException> onFailure) {
      if (runner != Runner.CALLER) {
        asked.add("thread");
      }
      super.call(runner, timeout, verb, onValue, onFailure);
    }

    @Override
    public <T> T await(CompletableFuture<T> future, Duration timeout)
        throws InterruptedException, TimeoutException {
      asked.add("wait");
      return super.await(future, timeout);
    }
  }

  @BeforeEach
  void observe() {
    World.MISTAKE.set(Observed::new);
  }

  @AfterEach
  void leaveAlone() {
    World.MISTAKE.remove();
  }

  @Test
  void anAcquireAndItsReleaseAreTwoCallsAndNoTimerNoThreadAndNoWait() {
    World.Peer process = new World(Wakeup.PUSH).process();
    process.client.lock("a").acquire().release(); // Opens the session.
    assertThat(asked).contains("timer", "thread", "wait");
    asked.clear();
    process.calls.clear();

    process.client.lock("a").acquire(Duration.ofSeconds(5)).release();
    process.client.lock("a").tryAcquire().orElseThrow().release();

    assertThat(process.calls).containsExactly("grab", "release", "grab", "release");
    assertThat(asked).isEmpty();
  }
}
