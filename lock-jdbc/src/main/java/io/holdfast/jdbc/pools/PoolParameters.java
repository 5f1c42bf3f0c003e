package io.holdfast.jdbc.pools;

import io.holdfast.error.BadRequestException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The parameters of a URI that are for the pools, with the names and units that HikariCP uses. */
public final class PoolParameters {

  private static final String CONNECTIONS = "connections";
  private static final String NAME = "poolName";
  private static final String MAX_LIFETIME = "maxLifetime";
  private static final String IDLE_TIMEOUT = "idleTimeout";
  private static final String LEAK_DETECTION = "leakDetectionThreshold";

  public static final List<String> NAMES =
      List.of(CONNECTIONS, NAME, MAX_LIFETIME, IDLE_TIMEOUT, LEAK_DETECTION);

  private PoolParameters() {}

  /**
   * Returns the settings that the parameters give.
   *
   * @throws BadRequestException if one has an invalid value
   */
  public static PoolSettings settings(Map<String, String> given) {
    PoolSettings standard = PoolSettings.standard();
    return new PoolSettings(
        Math.toIntExact(number(given, CONNECTIONS, standard.connections())),
        Optional.ofNullable(given.get(NAME)),
        millis(given, MAX_LIFETIME, standard.maxLifetime()),
        millis(given, IDLE_TIMEOUT, standard.idleTimeout()),
        millis(given, LEAK_DETECTION, standard.leakDetection()),
        standard.metricRegistry());
  }

  private static Duration millis(Map<String, String> given, String name, Duration usual) {
    return Duration.ofMillis(number(given, name, usual.toMillis()));
  }

  private static long number(Map<String, String> given, String name, long usual) {
    String text = given.getOrDefault(name, Long.toString(usual));
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new BadRequestException(
          "%s in the URI must be a whole number, not \"%s\".".formatted(name, text), e);
    }
  }
}
