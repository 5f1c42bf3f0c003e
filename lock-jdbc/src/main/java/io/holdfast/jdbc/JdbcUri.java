package io.holdfast.jdbc;

import io.holdfast.BadRequestException;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A URI without the parameters that are for us and not for the driver.
 *
 * @param driver what the driver gets to see
 * @param tablePrefix what the names of the tables begin with
 * @param restartGuard {@code OFF} if the URI says so
 * @param pools of connections
 */
record JdbcUri(String driver, String tablePrefix, RestartGuard restartGuard, PoolSettings pools) {

  private static final String TABLE_PREFIX = "tablePrefix";
  private static final String RESTART_GUARD = "restartGuard";
  private static final Set<String> OURS =
      Stream.concat(Stream.of(TABLE_PREFIX, RESTART_GUARD), PoolParameters.NAMES.stream())
          .collect(Collectors.toUnmodifiableSet());

  /**
   * Reads a URI whose parameters are {@code ?like=this&and=so}.
   *
   * @throws BadRequestException if one of ours has a value that it cannot have
   */
  static JdbcUri of(String uri) {
    int query = uri.indexOf('?');
    if (query < 0) {
      return new JdbcUri(uri, TablePrefix.USUAL, RestartGuard.ON, PoolSettings.standard());
    }
    Map<String, String> ours = new HashMap<>();
    List<String> others = new ArrayList<>();
    for (String parameter : uri.substring(query + 1).split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      if (!OURS.contains(name)) {
        others.add(parameter);
      } else if (ours.put(name, parameter.substring(equals + 1)) != null) {
        throw new BadRequestException("The URI gives %s twice.".formatted(name));
      }
    }
    String rest = String.join("&", others);
    return new JdbcUri(
        uri.substring(0, query) + (rest.isEmpty() ? "" : "?" + rest),
        TablePrefix.of(ours.getOrDefault(TABLE_PREFIX, TablePrefix.USUAL)),
        guard(ours.getOrDefault(RESTART_GUARD, "on")),
        PoolParameters.settings(ours));
  }

  private static RestartGuard guard(String value) {
    return switch (value) {
      case "on" -> RestartGuard.ON;
      case "off" -> RestartGuard.OFF;
      default ->
          throw new BadRequestException(
              "restartGuard in the URI must be on or off, not \"%s\".".formatted(value));
    };
  }

  /** Returns the options of a client with what the URI says besides. */
  BackendOptions with(BackendOptions options) {
    return restartGuard == RestartGuard.OFF ? options.with(RestartGuard.OFF) : options;
  }

  JdbcUri tablePrefix(String other) {
    return new JdbcUri(driver, TablePrefix.of(other), restartGuard, pools);
  }

  JdbcUri pools(PoolSettings other) {
    return new JdbcUri(driver, tablePrefix, restartGuard, other);
  }
}
