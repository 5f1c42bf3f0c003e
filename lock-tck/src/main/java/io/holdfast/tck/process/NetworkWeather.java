package io.holdfast.tck.process;

import io.holdfast.tck.network.AtMessage;
import io.holdfast.tck.network.Fate;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.Way;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Does at random to a network what networks do at random. */
final class NetworkWeather {

  private static final int MESSAGES_MAX = 20;

  private final NetworkProxy network;
  private final Random random;
  private final Duration ttl;

  /**
   * Makes weather.
   *
   * @param ttl of the sessions: some faults last longer
   */
  NetworkWeather(NetworkProxy network, Random random, Duration ttl) {
    this.network = network;
    this.random = random;
    this.ttl = ttl;
  }

  /** Lets it rage for a time, and makes everything good again. */
  void rageFor(Duration time) throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - deadline < 0) {
      strike();
      rest(ttl.dividedBy(3));
      network.heal();
      rest(ttl.dividedBy(6));
    }
    // What has lost bytes is silent for good, and would hold up whoever uses it first.
    network.cut();
  }

  private void strike() throws InterruptedException {
    switch (random.nextInt(8)) {
      case 0 -> network.cut();
      case 1 -> {
        network.refuse();
        network.cut();
      }
      case 2 -> network.swallow(way());
      case 3 -> network.halfClose(way());
      case 4 -> {
        network.isolate();
        rest(ttl.multipliedBy(3));
      }
      case 5 -> network.delay(Duration.ofMillis(1 + random.nextInt((int) ttl.toMillis() / 4)));
      case 6 -> network.decide(message -> Fate.DOUBLE);
      default -> network.decide(new AtMessage(1 + random.nextInt(MESSAGES_MAX), fate()));
    }
  }

  private Way way() {
    return random.nextBoolean() ? Way.TO_SERVER : Way.TO_CLIENT;
  }

  private Fate fate() {
    return random.nextBoolean() ? Fate.CUT : Fate.LOSE;
  }

  private void rest(Duration most) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(random.nextInt((int) most.toMillis()));
  }
}
