package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockName;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.memory.world.World;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.HintListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A hint costs a look; one that comes at a bad moment costs no more than that. */
class HintsTest {

  private final World world = new World(Wakeup.PUSH);
  private final World.Peer first = world.process();
  private final World.Peer second = world.process();

  private Duration waited() {
    return Duration.ofNanos(world.time.nanos());
  }

  @Test
  void aHintWhileALookIsUnderWayMeansAnotherLook() {
    Grant held = first.client.lock("a").acquire();
    second.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("look")) {
            held.release(); // The answer is on its way and does not know of it.
          }
          return answer;
        };
    assertThat(second.client.lock("a").acquire().isHeld()).isTrue();
    assertThat(waited()).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void whatHappensBeforeTheHintsBeginIsSeenOnceTheyHaveBegun() {
    Grant held = first.client.lock("a").acquire();
    second.seam.latency(Duration.ofMillis(10));
    int[] looks = {0};
    second.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("look") && looks[0]++ == 0) {
            second.seam.latency(Duration.ofMillis(100)); // The answer travels for longer than
          } else if (sent.is("listen")) {
            second.seam.latency(Duration.ofMillis(1)); // the beginning of the hints.
          }
          return answer;
        };
    world.time.after(Duration.ofMillis(35).toNanos(), held::release);
    assertThat(second.client.lock("a").acquire().isHeld()).isTrue();
    assertThat(waited()).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void hintsThatCouldNotBeHadAreAskedForAgain() {
    Grant held = first.client.lock("a").acquire();
    boolean[] down = {true};
    second.network =
        sent -> {
          if (sent.is("listen") && down[0]) {
            throw World.unreachable();
          }
          return sent.pass();
        };
    world.time.after(Duration.ofSeconds(1).toNanos(), () -> down[0] = false);
    world.time.after(Duration.ofSeconds(62).toNanos(), held::release);
    assertThat(second.client.lock("a").acquire().isHeld()).isTrue();
    assertThat(waited()).isLessThan(Duration.ofSeconds(63));
  }

  /** A session that goes on holding something else lives on. */
  @Test
  void aSessionThatWaitsNoMoreIsHintedNoMore() {
    AtomicInteger open = new AtomicInteger();
    second.network =
        sent -> {
          Object answer = sent.pass();
          if (answer instanceof AutoCloseable stream && sent.is("listen")) {
            open.incrementAndGet();
            AutoCloseable counted =
                () -> {
                  open.decrementAndGet();
                  stream.close();
                };
            return counted;
          }
          return answer;
        };
    second.client.lock("held for long").acquire();
    Grant held = first.client.lock("a").acquire();
    world.after(Duration.ofSeconds(1), held::release);
    second.client.lock("a").acquire().release();
    assertThat(open).hasValue(1);

    world.time.advance(World.TTL.multipliedBy(3));

    assertThat(open).hasValue(0);
    Grant again = first.client.lock("a").acquire();
    world.after(Duration.ofSeconds(1), again::release);
    second.client.lock("a").acquire().release();
    assertThat(open).hasValue(1);
  }

  /** The second process has waited before: its session is told of what it waits for. */
  private void hintsFlow() {
    Grant held = first.client.lock("before").acquire();
    world.after(Duration.ofMillis(10), held::release);
    second.client.lock("before").acquire().release();
    assertThat(second.count("listen")).isEqualTo(1);
    second.calls.clear();
  }

  @Test
  void aHandOverIsOneLookWhileHintsFlow() {
    hintsFlow();
    Grant held = first.client.lock("a").acquire();
    releaseAfter(Duration.ofMillis(50), held);

    second.client.lock("a").acquire().release();

    assertThat(second.calls).containsExactly("grab", "look", "release");
  }

  @Test
  void aHintThatIsFasterThanTheAnswerOfTheGrabIsNotMissed() {
    hintsFlow();
    Grant held = first.client.lock("a").acquire();
    second.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("grab")) {
            held.release(); // The hint is here, and the answer that it waits is not.
          }
          return answer;
        };
    Duration before = waited();
    second.client.lock("a").acquire();
    assertThat(waited().minus(before)).isLessThan(Duration.ofMillis(10));
  }

  @Test
  void whoJoinsBehindADeadHolderLearnsOfItSoonAlthoughHintsFlow() {
    hintsFlow();
    Grant unused = first.client.lock("a").acquire();
    first.network = World.dead();
    world.time.advance(World.TTL.multipliedBy(2));
    Duration before = waited();
    second.client.lock("a").acquire();
    assertThat(waited().minus(before)).isLessThan(Duration.ofMillis(500));
  }

  private void releaseAfter(Duration time, Grant held) {
    world.time.after(time.toNanos(), held::release);
  }

  @Test
  void whoHasNoHintsPolls() {
    Grant held = first.client.lock("a").acquire();
    second.network = World.down().on("listen");
    releaseAfter(Duration.ofSeconds(61), held);

    assertThat(second.client.lock("a").acquire().isHeld()).isTrue();

    assertThat(waited()).isLessThan(Duration.ofMillis(61_100));
    assertThat(second.count("listen"))
        .as("asked for again with the heartbeats")
        .isBetween(12L, 14L);
  }

  @Test
  void hintsThatAreNotToBeHadAreAskedForOnce() {
    Grant held = first.client.lock("a").acquire();
    Grant other = first.client.lock("b").acquire();
    second.network =
        sent -> {
          if (sent.is("listen")) {
            throw new BackendUnusableException("no hints here");
          }
          return sent.pass();
        };
    releaseAfter(Duration.ofSeconds(61), held);
    assertThat(second.client.lock("a").acquire().isHeld()).isTrue();
    assertThat(waited()).isLessThan(Duration.ofMillis(61_100));
    releaseAfter(Duration.ofSeconds(61), other);

    AcquireOptions otherSession = AcquireOptions.forever().ttl(Duration.ofSeconds(30));
    assertThat(second.client.lock("b").acquire(otherSession).isHeld()).isTrue();

    assertThat(second.count("listen")).isEqualTo(1);
  }

  /** As by a server that was a replica for a moment. */
  @Test
  void hintsThatWereRefusedAreAskedForAgainAfterSomeMinutes() {
    Grant held = first.client.lock("a").acquire();
    boolean[] refused = {false};
    second.network =
        sent -> {
          if (sent.is("listen") && !refused[0]) {
            refused[0] = true;
            throw new BackendUnusableException("a replica");
          }
          return sent.pass();
        };
    releaseAfter(Duration.ofMinutes(10), held);
    long[] looks = new long[1];
    world.after(Duration.ofMinutes(6), () -> looks[0] = second.count("look"));
    assertThat(second.client.lock("a").acquire().isHeld()).isTrue();

    assertThat(second.count("listen")).isEqualTo(2);
    assertThat(second.count("look") - looks[0]).as("hints flow").isLessThan(60);
  }

  @Test
  void whoseHintsEndPollsUntilThereAreOthers() {
    Grant held = first.client.lock("a").acquire();
    boolean[] down = {false};
    HintListener[] told = new HintListener[1];
    second.network =
        sent -> {
          if (!sent.is("listen")) {
            return sent.pass();
          }
          if (down[0]) {
            throw World.unreachable();
          }
          told[0] = (HintListener) sent.args().get(1);
          return (AutoCloseable) () -> {};
        };
    Duration cut = Duration.ofSeconds(60);
    world.time.after(
        cut.toNanos(),
        () -> {
          assertThat(second.count("look")).as("hints flow").isLessThan(20);
          down[0] = true;
          told[0].ended();
        });
    world.time.after(cut.plusSeconds(20).toNanos(), () -> down[0] = false);
    long[] looks = new long[1];
    world.time.after(cut.plusSeconds(30).toNanos(), () -> looks[0] = second.count("look"));
    world.time.after(
        cut.plusSeconds(90).toNanos(),
        () -> assertThat(second.count("look") - looks[0]).as("hints flow again").isLessThan(20));
    releaseAfter(cut.plusSeconds(91), held);

    assertThat(second.client.lock("a").acquire().isHeld()).isTrue();

    assertThat(looks[0]).as("polled meanwhile").isGreaterThan(20 * 3L);
  }

  /** The look that tells of a grant may be older than a hint that somebody waits behind it. */
  @Test
  void aHintThatOvertakesTheAnswerOfALookIsNotForgotten() {
    Grant held = first.client.lock("a").acquire();
    HintListener[] told = {name -> {}};
    second.network =
        sent -> {
          if (sent.is("listen")) {
            told[0] = (HintListener) sent.args().get(1);
          }
          Object answer = sent.pass();
          if (sent.is("look") && String.valueOf(answer).contains("Holding")) {
            world.join("a", 1);
            told[0].accept(new LockName("a"));
          }
          return answer;
        };
    world.after(Duration.ofSeconds(20), held::release);
    Grant cached = second.client.lock("a").acquire(AcquireOptions.forever().cached());

    assertThat(cached.release()).isEqualTo(ReleaseOutcome.HANDED_ON);
  }

  @Test
  void whoKeepsALockIsTold() {
    second.client.lock("a").acquire(AcquireOptions.once().cached()).release();
    world.time.advance(Duration.ofMillis(10));

    assertThat(second.count("listen")).isEqualTo(1);
  }
}
