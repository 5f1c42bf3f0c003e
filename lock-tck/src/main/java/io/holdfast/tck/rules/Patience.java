package io.holdfast.tck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holder;
import io.holdfast.LockName;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Obstacle;
import io.holdfast.spi.Request;
import io.holdfast.spi.Standing;
import java.util.List;

/** What an engine does for a request that waits, as far as that does not take time. */
final class Patience {

  private static final int LOOKS_MAX = 5;

  private Patience() {}

  /** Takes a lock that is free, or whose holder is over. */
  static Held take(SpiClient client, LockName name) {
    Request request = client.request(name);
    if (client.grab(request) instanceof Attempt.Refused refused) {
      Holder dead = refused.record().holder().orElseThrow();
      client.overtake(request, new Observed(name, refused.record().number(), dead.request()));
    }
    return client.holding(request);
  }

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
