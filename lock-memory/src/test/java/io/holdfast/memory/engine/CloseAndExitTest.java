package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.ClientClosedException;
import io.holdfast.memory.world.World;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What closing a client, or the exit of its process, leaves behind. */
class CloseAndExitTest {

  private static final Duration LONG = Duration.ofHours(1);

  @ParameterizedTest
  @EnumSource
  void closingGivesEverythingBackAtOnce(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    Grant a = first.client.lock("a").acquire();
    first.client.lock("b").acquire();
    world.after(Duration.ofSeconds(1), first.client::close);
    assertThat(second.client.lock("a").acquire(LONG).isHeld()).isTrue();
    assertThat(Duration.ofNanos(world.time.nanos())).isLessThan(Duration.ofSeconds(2));
    assertThat(second.client.lock("b").tryAcquire()).isPresent();
    assertThat(a.isHeld()).isFalse();
    assertThat(a.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
    assertThatThrownBy(() -> first.client.lock("a").tryAcquire())
        .isInstanceOf(ClientClosedException.class);
    first.client.close();
  }

  @ParameterizedTest
  @EnumSource
  void closingEndsWaits(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    Grant held = first.client.lock("a").acquire();
    world.after(Duration.ofSeconds(1), second.client::close);
    assertThatThrownBy(() -> second.client.lock("a").acquire())
        .isInstanceOf(ClientClosedException.class);
    assertThat(first.client.find("a").orElseThrow().waiters()).isEmpty();
    assertThat(held.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @ParameterizedTest
  @EnumSource
  void closingReturnsWithinABoundWhenTheStoreIsSilent(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    process.client.lock("a").acquire();
    process.network = World.dead();
    process.client.close();
    assertThat(Duration.ofNanos(world.time.nanos())).isLessThan(Duration.ofSeconds(10));
  }

  @ParameterizedTest
  @EnumSource
  void anExitWithdrawsWaitsButLetsGrantsEndWithTheirLease(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    Grant grant = process.client.lock("a").acquire();
    process.seam.exit();
    assertThat(grant.isHeld()).isTrue();
    assertThat(world.process().client.lock("a").tryAcquire()).isEmpty();
    World.Peer releasing = world.new Peer(World.TTL, Optional.empty(), true);
    releasing.client.lock("b").acquire();
    releasing.seam.exit();
    assertThat(world.process().client.lock("b").tryAcquire()).isPresent();
  }

  /** The JVM ends when its exit hooks have returned, whatever other threads are doing. */
  @ParameterizedTest
  @EnumSource
  void anExitWaitsForAThreadThatClosesTheClient(Wakeup wakeup) {
    World world = new World(wakeup);
    for (boolean releaseOnExit : new boolean[] {false, true}) {
      World.Peer closing = world.new Peer(World.TTL, Optional.empty(), releaseOnExit);
      closing.client.lock("a").acquire();
      List<Long> waited = new ArrayList<>();
      closing.network =
          sent -> {
            if (sent.is("end")) {
              long before = world.time.nanos();
              closing.seam.exit(); // The thread that closes is this one: it waits in vain.
              waited.add(world.time.nanos() - before);
            }
            return sent.pass();
          };
      closing.client.close();
      assertThat(waited).singleElement().satisfies(nanos -> assertThat(nanos).isPositive());
    }
  }

  /** As by a main thread that goes on to its end while the JVM exits. */
  @ParameterizedTest
  @EnumSource
  void aThreadThatClosesTheClientDuringAnExitWaitsForIt(Wakeup wakeup) {
    for (Consumer<LockClient> closing :
        List.<Consumer<LockClient>>of(LockClient::close, LockClient::orphan)) {
      World world = new World(wakeup);
      World.Peer exiting = world.process();
      World.Peer other = world.process();
      assertThat(exiting.client.lock("a").acquire(AcquireOptions.forever().cached()).release())
          .isEqualTo(ReleaseOutcome.KEPT);
      exiting.seam.latency(Duration.ofMillis(100));
      world.after(Duration.ofMillis(150), () -> closing.accept(exiting.client));
      long before = world.time.nanos();
      exiting.seam.exit();
      assertThat(Duration.ofNanos(world.time.nanos() - before)).isLessThan(Duration.ofSeconds(5));
      assertThat(exiting.calls).contains("end");
      assertThat(other.client.lock("a").tryAcquire()).isPresent();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anExitOfAHolderDoesNotEndBeforeItsWaitsAreWithdrawn(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer other = world.process();
    World.Peer exiting = world.process();
    other.client.lock("b").acquire();
    Grant kept = exiting.client.lock("a").acquire();
    world.after(
        Duration.ofSeconds(1),
        () -> {
          exiting.seam.exit();
          assertThat(other.client.find("b").orElseThrow().waiters()).isEmpty();
        });
    assertThatThrownBy(() -> exiting.client.lock("b").acquire())
        .isInstanceOf(ClientClosedException.class)
        .hasMessageContaining("exits");
    assertThat(kept.isHeld()).isTrue();
    assertThatThrownBy(() -> exiting.client.lock("c").acquire())
        .isInstanceOf(ClientClosedException.class)
        .hasMessageContaining("stays held");
  }
}
