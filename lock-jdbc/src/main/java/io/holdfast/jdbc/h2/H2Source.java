package io.holdfast.jdbc.h2;

import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.connections.RestorableConnection;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.h2.Driver;
import org.jspecify.annotations.Nullable;

/**
 * Connects to the H2 database that a URI names.
 *
 * <p>H2's connections cannot be broken off, so that nothing ends a call at its deadline. What
 * bounds it are limits that a connection has from the beginning.
 */
record H2Source(H2Uri uri) implements ConnectionSource {

  /** How long a statement waits for a row that another client keeps locked. */
  private static final String LOCK_TIMEOUT_MILLIS = "1000";

  /** How long a server may be silent. */
  private static final String NETWORK_TIMEOUT_MILLIS = "3000";

  @Override
  public RestorableConnection take(Deadline deadline) throws SQLException {
    Properties properties = new Properties();
    if (!uri.has("USER")) {
      properties.setProperty("user", "sa");
    }
    if (!uri.has("LOCK_TIMEOUT")) {
      properties.setProperty("LOCK_TIMEOUT", LOCK_TIMEOUT_MILLIS);
    }
    if (!uri.has("NETWORK_TIMEOUT")) {
      properties.setProperty("NETWORK_TIMEOUT", NETWORK_TIMEOUT_MILLIS);
    }
    @Nullable Connection connection = new Driver().connect(uri.text(), properties);
    if (connection == null) {
      throw new BadRequestException(
          "H2's driver does not take the URI of %s.".formatted(uri.name()));
    }
    return RestorableConnection.ours(connection);
  }
}
