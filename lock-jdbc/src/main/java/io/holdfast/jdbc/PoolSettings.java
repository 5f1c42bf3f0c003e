package io.holdfast.jdbc;

import io.holdfast.BadRequestException;
import java.time.Duration;
import java.util.Optional;

/**
 * What can be chosen about the pools of connections.
 *
 * @param connections how many there are at most for verbs other than heartbeats
 * @param name what the names of the pools begin with, if they are to have one of their own
 * @param maxLifetime after which a connection is replaced; zero if it never is
 * @param idleTimeout after which a connection for verbs that was not needed is closed; zero for
 *     never
 * @param leakDetection after which a call that keeps its connection is logged; zero for never
 * @param metricRegistry where the pools count
 */
record PoolSettings(
    int connections,
    Optional<String> name,
    Duration maxLifetime,
    Duration idleTimeout,
    Duration leakDetection,
    Optional<Object> metricRegistry) {

  /** More than any database has for one process. */
  private static final int CONNECTIONS_MAX = 1000;

  PoolSettings {
    if (connections < 1 || connections > CONNECTIONS_MAX) {
      throw new BadRequestException(
          "connections must be from 1 to %d, not %d.".formatted(CONNECTIONS_MAX, connections));
    }
    requireZeroOrFrom("maxLifetime", maxLifetime, Duration.ofSeconds(30));
    requireZeroOrFrom("idleTimeout", idleTimeout, Duration.ofSeconds(10));
    requireZeroOrFrom("leakDetectionThreshold", leakDetection, Duration.ofSeconds(2));
  }

  private static void requireZeroOrFrom(String name, Duration value, Duration least) {
    if (value.isNegative() || (!value.isZero() && value.compareTo(least) < 0)) {
      throw new BadRequestException(
          "%s must be 0 or at least %d ms, not %d ms."
              .formatted(name, least.toMillis(), value.toMillis()));
    }
  }

  static PoolSettings standard() {
    return new PoolSettings(
        8,
        Optional.empty(),
        Duration.ofMinutes(30),
        Duration.ofMinutes(10),
        Duration.ZERO,
        Optional.empty());
  }

  PoolSettings connections(int other) {
    return new PoolSettings(other, name, maxLifetime, idleTimeout, leakDetection, metricRegistry);
  }

  PoolSettings metricRegistry(Object other) {
    return new PoolSettings(
        connections, name, maxLifetime, idleTimeout, leakDetection, Optional.of(other));
  }
}
