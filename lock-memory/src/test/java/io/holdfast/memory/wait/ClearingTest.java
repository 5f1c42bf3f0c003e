package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.memory.world.World;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Attempt;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What stands in a waiter's way is taken away for what it is then, not for what it was. */
class ClearingTest {

  private static final LockName NAME = new LockName("a");
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration DELAY = Duration.ofMinutes(10);

  @Test
  void aWaiterThatHeldMeanwhileLeavesItsLockDelay() {
    World world = new World(Wakeup.PUSH);
    World.Peer first = world.process();
    World.Peer last = world.process();
    Grant held = first.client.lock(NAME.value()).acquire();
    LockBackend backend = world.store.connect(BackendOptions.DEFAULTS);
    SessionId dies = SessionId.fresh();
    ProcessIdentity process = new ProcessIdentity("dies");
    backend.open(new SessionSpec(dies, SHORT, 0, process), soon());
    backend.grab(Request.of(NAME, new RequestId(dies, 1), process).lockDelay(DELAY), soon());
    last.network =
        sent -> {
          if (sent.is("end") && sent.args().get(0).equals(dies)) {
            last.network = World.Sent::pass;
            // It was in time after all, works with the lock, and dies.
            backend.renew(dies, soon());
            held.release();
            world.time.advance(SHORT.multipliedBy(3));
          }
          return sent.pass();
        };
    long diesAfter = world.time.nanos();

    last.client.lock(NAME.value()).acquire();

    assertThat(Duration.ofNanos(world.time.nanos() - diesAfter)).isGreaterThanOrEqualTo(DELAY);
  }

  /** So that a mistake of a store does not become a load on it. */
  @Test
  void anObstacleThatCannotBeRemovedIsNotTriedWithoutPause() {
    World world = new World(Wakeup.PUSH);
    world.joinAndDie(NAME.value(), 1);
    World.Peer waits = world.process();
    waits.seam.latency(Duration.ofMillis(1));
    World.Network nothingDone = sent -> new Attempt.Queued();
    waits.network = nothingDone.on("overtake");

    assertThatThrownBy(() -> waits.client.lock(NAME.value()).acquire(Duration.ofMinutes(2)))
        .isInstanceOf(LockTimeoutException.class);

    assertThat(waits.count("overtake")).isBetween(1L, 50L);
  }

  private static Deadline soon() {
    return Deadline.in(World.TTL);
  }
}
