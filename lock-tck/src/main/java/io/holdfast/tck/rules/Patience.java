package io.holdfast.tck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Obstacle;
import io.holdfast.spi.Request;
import io.holdfast.spi.Standing;
import java.util.List;

/** What an engine does for a request that waits, as far as that does not take time. */
final class Patience {

  private static final int LOOKS_MAX = 5;

  private Patience() {}

  /** Removes what look names as an obstacle, one after the other; then the request must hold. */
  static Held overtakeUntilGranted(SpiClient client, Request waits) {
    for (int i = 0; i < LOOKS_MAX; i++) {
      if (client.standing(waits) instanceof Standing.Waiting waiting) {
        List<Obstacle> obstacles = waiting.obstacles();
        assertThat(obstacles).as("what look tells a request behind the dead").isNotEmpty();
        remove(client, waits, obstacles.get(0));
      }
    }
    return client.holding(waits);
  }

  private static void remove(SpiClient client, Request waits, Obstacle obstacle) {
    if (obstacle.isHead()) {
      client.overtake(waits, obstacle.head());
    } else {
      client.backend().release(waits.name(), obstacle.request(), Bench.soon());
    }
  }
}
