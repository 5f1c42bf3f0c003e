package io.holdfast.memory.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.world.World;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A caller waits out the jeopardy of a grant whose own end is moved, or comes, meanwhile. */
class JeopardyWaitTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration INTO_JEOPARDY = World.TTL.plusMillis(500);

  private final World world = new World(Wakeup.POLL);
  private final World.Peer one = world.process();

  private Grant takeIntoJeopardy(AcquireOptions options) {
    Grant grant = one.client.lock("a").acquire(options);
    one.network = World.dead();
    world.time.advance(INTO_JEOPARDY);
    assertThat(grant.isHeld()).isFalse();
    return grant;
  }

  @Test
  void anExtensionDoesNotEndTheGraceTime() {
    Grant another = one.client.lock("b").acquire();
    Grant grant = takeIntoJeopardy(AcquireOptions.once().atMost(INTO_JEOPARDY.plusMillis(500)));
    world.after(Duration.ofMillis(200), () -> grant.extend(MINUTE));
    world.after(Duration.ofSeconds(2), () -> one.network = World.Sent::pass);
    grant.check();
    assertThat(grant.isHeld()).isTrue();
    assertThat(another.isHeld()).isTrue();
  }

  @Test
  void itEndsWhenTheTimeThatWasMadeShorterIsUp() {
    Grant grant = takeIntoJeopardy(AcquireOptions.once().atMost(MINUTE));
    world.after(Duration.ofMillis(200), () -> grant.extend(Duration.ofSeconds(1)));
    assertThatThrownBy(grant::check)
        .isInstanceOfSatisfying(
            LockLostException.class,
            lost -> assertThat(lost.reason()).isEqualTo(LossReason.AT_MOST_REACHED));
    assertThat(Duration.ofNanos(world.time.nanos())).isEqualTo(INTO_JEOPARDY.plusMillis(1_200));
  }

  @Test
  void itEndsWhenTheGrantIsGivenBack() {
    Grant grant = takeIntoJeopardy(AcquireOptions.once());
    world.after(Duration.ofMillis(200), grant::release);
    assertThatThrownBy(grant::check).isInstanceOf(LockLostException.class);
    // The store is silent, so the release takes five seconds, and here on the same thread.
    assertThat(Duration.ofNanos(world.time.nanos())).isEqualTo(INTO_JEOPARDY.plusMillis(5_200));
  }
}
