package io.holdfast.tck.network;

import java.time.Duration;
import java.util.function.Function;

/**
 * The conditions of the network.
 *
 * @param arrivals the fate of new connections
 * @param delay how long everything is on its way, in each direction
 * @param plan decides about each message, on the proxy's thread
 */
record Conditions(Arrivals arrivals, Duration delay, Function<Message, Delivery> plan) {

  /** Nothing is wrong. */
  static final Conditions GOOD =
      new Conditions(Arrivals.FORWARDED, Duration.ZERO, message -> Delivery.PASS);

  /** The fate of new connections. */
  enum Arrivals {
    FORWARDED,
    REFUSED,
    /** They are made, and nothing that is sent arrives. */
    SWALLOWED
  }

  Conditions withArrivals(Arrivals other) {
    return new Conditions(other, delay, plan);
  }

  Conditions withDelay(Duration other) {
    return new Conditions(arrivals, other, plan);
  }

  Conditions withPlan(Function<Message, Delivery> other) {
    return new Conditions(arrivals, delay, other);
  }
}
