package io.holdfast.tck.process;

import io.holdfast.tck.network.AtMessage;
import io.holdfast.tck.network.Delivery;
import io.holdfast.tck.network.Direction;
import io.holdfast.tck.network.NetworkProxy;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Random faults of a network, of the kinds that networks have. */
final class RandomNetworkFaults {

  private static final int MESSAGES_MAX = 20;

  private final NetworkProxy network;
  private final Random random;
  private final Duration ttl;

  /**
   * Makes the faults of one network.
   *
   * @param ttl of the sessions: some faults last longer
   */
  RandomNetworkFaults(NetworkProxy network, Random random, Duration ttl) {
    this.network = network;
    this.random = random;
    this.ttl = ttl;
  }

  /** Injects faults for a time, then heals the network. */
  void runFor(Duration time) throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - deadline < 0) {
      injectFault();
      rest(ttl.dividedBy(3));
      network.heal();
      rest(ttl.dividedBy(6));
    }
    // A connection that has lost bytes is silent for good, and would hold up the first call that
    // uses it.
    network.cut();
  }

  private void injectFault() throws InterruptedException {
    switch (random.nextInt(8)) {
      case 0 -> network.cut();
      case 1 -> {
        network.refuse();
        network.cut();
      }
      case 2 -> network.swallow(direction());
      case 3 -> network.halfClose(direction());
      case 4 -> {
        network.isolate();
        rest(ttl.multipliedBy(3));
      }
      case 5 -> network.delay(Duration.ofMillis(1 + random.nextInt((int) ttl.toMillis() / 4)));
      case 6 -> network.decide(message -> Delivery.DOUBLE);
      default -> network.decide(new AtMessage(1 + random.nextInt(MESSAGES_MAX), delivery()));
    }
  }

  private Direction direction() {
    return random.nextBoolean() ? Direction.TO_SERVER : Direction.TO_CLIENT;
  }

  private Delivery delivery() {
    return random.nextBoolean() ? Delivery.CUT : Delivery.LOSE;
  }

  private void rest(Duration limit) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(random.nextInt((int) limit.toMillis()));
  }
}
