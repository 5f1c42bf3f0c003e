package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Grant;
import io.holdfast.memory.world.World;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.time.VirtualSeam;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What nobody needs any more is deleted by whoever uses the store, and disturbs nobody. */
class SweepsTest {

  private static final int MANY = 5_000;
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final World world = new World(Wakeup.POLL);
  private final World.Peer process = world.process();

  private static String name(int i) {
    return "orders/" + i;
  }

  private long left() {
    return IntStream.range(0, MANY).filter(i -> process.client.find(name(i)).isPresent()).count();
  }

  @Test
  void namesThatPileUpAreGoneSoonAfterADayThoughASweepIsBounded() {
    // given
    Grant held = process.client.lock("kept").acquire();
    for (int i = 0; i < MANY; i++) {
      process.client.lock(name(i)).acquire().close();
    }
    world.time.advance(DAY);
    assertThat(left()).isEqualTo(MANY);
    long before = process.count("sweep");

    // when
    world.time.advance(HOUR.multipliedBy(2));

    // then
    assertThat(left()).isZero();
    assertThat(process.count("sweep") - before).isLessThan(MANY / 100);
    assertThat(held.isHeld()).isTrue();
  }

  @Test
  void whereThereIsNothingToDeleteItIsLookedForOnceAnHour() {
    Grant held = process.client.lock("kept").acquire();

    world.time.advance(HOUR.multipliedBy(10));

    assertThat(process.count("sweep")).isBetween(9L, 11L);
    assertThat(held.isHeld()).isTrue();
  }

  @Test
  void clientsThatBeginTogetherDoNotSweepTogether() {
    List<Long> minutes = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      World.Peer peer = world.process();
      String own = "kept by " + i;
      peer.network =
          sent -> {
            if (sent.is("sweep")) {
              minutes.add(Duration.ofNanos(world.time.nanos()).toMinutes());
            }
            return sent.pass();
          };
      peer.client.lock(own).acquire();
    }

    world.time.advance(HOUR);

    assertThat(minutes).hasSizeGreaterThanOrEqualTo(30);
    assertThat(
            minutes.stream()
                .collect(Collectors.groupingBy(m -> m, TreeMap::new, Collectors.counting()))
                .values())
        .as("sweeps in each minute")
        .allMatch(sweeps -> sweeps < 15);
  }

  @Test
  void aSweepThatHangsOrFailsDisturbsNoHeartbeatAndIsTriedAgain() {
    int[] sweeps = {0};
    process.network =
        sent -> {
          if (!sent.is("sweep")) {
            return sent.pass();
          }
          if (sweeps[0]++ % 2 == 0) {
            throw new VirtualSeam.Hang();
          }
          throw World.unreachable();
        };
    Grant held = process.client.lock("kept").acquire();
    process.events.clear();

    world.time.advance(HOUR.multipliedBy(10));

    assertThat(sweeps[0]).isBetween(9, 11);
    assertThat(held.isHeld()).isTrue();
    assertThat(process.events).isEmpty();
  }

  @Test
  void aClientWithoutASessionSweepsNothing() {
    process.client.lock("a").acquire().close();
    world.time.advance(HOUR);
    long before = process.count("sweep");

    world.time.advance(DAY);

    assertThat(process.count("sweep")).isEqualTo(before);
  }
}
