package io.holdfast.jdbc.pools;

import io.holdfast.error.BadRequestException;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of the connection pools.
 *
 * @param connections the maximum number of connections for verbs other than heartbeats
 * @param name the prefix of the pools' names, if given
 * @param maxLifetime the age at which a connection is replaced; zero for never
 * @param idleTimeout the time after which an unused connection for verbs is closed; zero for never
 * @param leakDetection the time after which a call that keeps its connection is logged; zero for
 *     never
 * @param metricRegistry where the pools report metrics
 */
public record PoolSettings(
    int connections,
    Optional<String> name,
    Duration maxLifetime,
    Duration idleTimeout,
    Duration leakDetection,
    Optional<Object> metricRegistry) {

  /** More than any database has for one process. */
  private static final int CONNECTIONS_MAX = 1000;

  public PoolSettings {
    if (connections < 1 || connections > CONNECTIONS_MAX) {
      throw new BadRequestException(
          "connections must be from 1 to %s, not %s.".formatted(CONNECTIONS_MAX, connections));
    }
    requireZeroOrFrom("maxLifetime", maxLifetime, Duration.ofSeconds(30));
    requireZeroOrFrom("idleTimeout", idleTimeout, Duration.ofSeconds(10));
    requireZeroOrFrom("leakDetectionThreshold", leakDetection, Duration.ofSeconds(2));
  }

  private static void requireZeroOrFrom(String name, Duration value, Duration least) {
    if (value.isNegative() || (!value.isZero() && value.compareTo(least) < 0)) {
      throw new BadRequestException(
          "%s must be 0 or at least %s ms, not %s ms."
              .formatted(name, least.toMillis(), value.toMillis()));
    }
  }

  public static PoolSettings standard() {
    return new PoolSettings(
        8,
        Optional.empty(),
        Duration.ofMinutes(30),
        Duration.ofMinutes(10),
        Duration.ZERO,
        Optional.empty());
  }

  /**
   * Returns whether nothing is set. Compares one by one: the first call of a record's generated
   * {@code equals} takes a JVM ten milliseconds, and every opening of a lock file asks this.
   */
  public boolean isStandard() {
    PoolSettings standard = standard();
    return connections == standard.connections
        && name.isEmpty()
        && maxLifetime.equals(standard.maxLifetime)
        && idleTimeout.equals(standard.idleTimeout)
        && leakDetection.equals(standard.leakDetection)
        && metricRegistry.isEmpty();
  }

  public PoolSettings connections(int other) {
    return new PoolSettings(other, name, maxLifetime, idleTimeout, leakDetection, metricRegistry);
  }

  public PoolSettings metricRegistry(Object other) {
    return new PoolSettings(
        connections, name, maxLifetime, idleTimeout, leakDetection, Optional.of(other));
  }
}
