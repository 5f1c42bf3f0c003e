package io.holdfast.jdbc;

import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.database.TablePrefix;
import io.holdfast.jdbc.pools.PoolParameters;
import io.holdfast.jdbc.pools.PoolSettings;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A URI split into the part for the driver and the parameters for this adapter.
 *
 * @param driver the URI as the driver gets it
 * @param tablePrefix the prefix of the names of the tables
 * @param restartGuard {@code OFF} if the URI says so
 * @param pools the settings of the connection pools
 */
record JdbcUri(String driver, String tablePrefix, RestartGuard restartGuard, PoolSettings pools) {

  private static final String TABLE_PREFIX = "tablePrefix";
  private static final String RESTART_GUARD = "restartGuard";

  /** A setting of the client, which takes it out of a URI that it is given itself. */
  private static final String MAX_WAITERS = "maxWaiters";

  /**
   * A user before the host, as other kinds of URIs have it. In a password there may be a slash; a
   * port is none.
   */
  private static final Pattern WITH_USER =
      Pattern.compile("[^/?;]*://([^/?]*|[^/?@:]*:(?!\\d*/)[^?]*)@.*", Pattern.DOTALL);

  private static boolean isOurs(String parameter) {
    return parameter.equals(TABLE_PREFIX)
        || parameter.equals(RESTART_GUARD)
        || PoolParameters.NAMES.contains(parameter);
  }

  /**
   * Reads a URI whose parameters are {@code ?like=this&and=so}.
   *
   * @throws BadRequestException if one of the adapter's parameters has an invalid value, or one is
   *     a setting of the client, or a user stands before the host
   */
  static JdbcUri of(String uri) {
    if (WITH_USER.matcher(uri).matches()) {
      // Drivers take it for a part of the host's name, and show that, with the password.
      throw new BadRequestException(
          "A URI for JDBC has no user before its host. Give user and password as parameters: //HOST/DATABASE?user=…&password=…");
    }
    int query = uri.indexOf('?');
    if (query < 0) {
      return new JdbcUri(uri, TablePrefix.USUAL, RestartGuard.ON, PoolSettings.standard());
    }
    Map<String, String> ours = new HashMap<>();
    List<String> others = new ArrayList<>();
    for (String parameter : uri.substring(query + 1).split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      if (name.equals(MAX_WAITERS)) {
        throw new BadRequestException(
            "JdbcLocks takes no maxWaiters in the URI. Set it with ClientBuilder.maxWaiters, or give the URI to Holdfast.connect.");
      }
      if (!isOurs(name)) {
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

  /** Returns the options of a client, changed by the parameters of the URI. */
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
