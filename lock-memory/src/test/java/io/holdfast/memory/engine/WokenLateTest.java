package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.engine.gate.Ticket;
import io.holdfast.engine.seam.Seam;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.world.InterceptedSeam;
import io.holdfast.memory.world.World;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A thread whose wait is over, but which has not gone on yet when its grant ends. */
class WokenLateTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final World world = new World(Wakeup.POLL);
  private final World.Peer other = world.process();
  private final World.Peer process = sleepy();
  private final List<String> ran = new ArrayList<>();
  private Runnable meanwhile = () -> {};

  private World.Peer sleepy() {
    World.MISTAKE.set(Sleepy::new);
    try {
      return world.process();
    } finally {
      World.MISTAKE.remove();
    }
  }

  /** Its threads go on some time after their wait is over. */
  private final class Sleepy extends InterceptedSeam {
    Sleepy(Seam seam) {
      super(seam);
    }

    @Override
    public <T> T await(CompletableFuture<T> future, Duration timeout)
        throws InterruptedException, TimeoutException {
      T value = super.await(future, timeout);
      if (value instanceof Ticket.Acquired) {
        meanwhile.run();
      }
      return value;
    }
  }

  @BeforeEach
  void anotherHoldsTheLockForAWhile() {
    Grant before = other.client.lock("a").acquire();
    world.after(Duration.ofSeconds(1), before::release);
  }

  private void closes() {
    process.client.close();
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  private void isLost() {
    world.store.loseEverything();
    world.time.advance(Duration.ofSeconds(20));
  }

  @Test
  void aGrantOfAClientThatWasClosedIsNotHandedOut() {
    meanwhile = this::closes;
    assertThatThrownBy(() -> process.client.lock("a").acquire(LONG))
        .isInstanceOf(ClientClosedException.class);
  }

  @Test
  void triedForItIsNotHandedOutEither() {
    meanwhile = this::closes;
    assertThatThrownBy(() -> process.client.lock("a").tryAcquire(AcquireOptions.within(LONG)))
        .isInstanceOf(ClientClosedException.class);
  }

  @Test
  void norTogetherWithOthers() {
    meanwhile = this::closes;
    assertThatThrownBy(() -> process.client.lockAll(List.of("a", "b"), AcquireOptions.within(LONG)))
        .isInstanceOf(ClientClosedException.class);
  }

  @Test
  void noBodyRunsUnderAGrantOfAClientThatWasClosed() {
    meanwhile = this::closes;
    assertThatThrownBy(() -> process.client.lock("a").run(LONG, grant -> ran.add("body")))
        .isInstanceOf(ClientClosedException.class);
    assertThat(ran).isEmpty();
  }

  /** The store may hang, and an interrupt ends the wait at once. */
  @Test
  void anInterruptedThreadMakesNoCallForTheGrantThatItDoesNotTake() {
    meanwhile =
        () -> {
          process.network = World.dead().on("release");
          Thread.currentThread().interrupt();
        };
    assertThatThrownBy(() -> process.client.lock("a").acquire(LONG))
        .isInstanceOf(LockInterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(process.calls).doesNotContain("release");
    process.network = World.Sent::pass;
    assertThat(other.client.lock("a").acquire(LONG).isHeld()).isTrue();
  }

  @Test
  void noBodyRunsUnderAGrantThatIsLost() {
    meanwhile = this::isLost;
    assertThatThrownBy(() -> process.client.lock("a").run(LONG, grant -> ran.add("body")))
        .isInstanceOfSatisfying(
            LockLostException.class,
            lost -> assertThat(lost.reason()).isEqualTo(LossReason.SESSION_ENDED));
    assertThat(ran).isEmpty();
    assertThat(Thread.interrupted()).isFalse();
  }
}
