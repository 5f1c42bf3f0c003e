package io.holdfast.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Grant;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
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
}
