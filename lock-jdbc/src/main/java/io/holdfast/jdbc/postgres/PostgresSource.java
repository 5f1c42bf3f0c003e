package io.holdfast.jdbc.postgres;

import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.connections.DatabaseName;
import io.holdfast.jdbc.connections.Hosts;
import io.holdfast.jdbc.connections.RestorableConnection;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/** Connects to the PostgreSQL database that a URI names. */
public final class PostgresSource implements ConnectionSource {

  /** The beginning of a database's URI. */
  public static final String SCHEME = "jdbc:postgresql:";

  private static final double MILLIS_PER_SECOND = 1000;

  private final String uri;

  /**
   * Reads a URI.
   *
   * @throws BadRequestException if it is not well-formed
   */
  public PostgresSource(String uri) {
    if (Driver.parseURL(uri, null) == null) {
      throw new BadRequestException(
          "The URI does not name a PostgreSQL database. Give one such as jdbc:postgresql://host:5432/database");
    }
    this.uri = uri;
  }

  @Override
  public RestorableConnection take(Deadline deadline) throws SQLException {
    Connection connection =
        Hosts.connect(uri, deadline, 1, (url, millis) -> logIn(url, millis, deadline));
    connection.setNetworkTimeout(Runnable::run, 0);
    return RestorableConnection.ours(connection);
  }

  private static Connection logIn(String url, int forEachHost, Deadline deadline)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("ApplicationName", "holdfast");
    // Sets with the login what the driver otherwise sets by two statements after it.
    properties.setProperty("assumeMinServerVersion", "10");
    double login = Math.max(1, deadline.remainingMillis()) / MILLIS_PER_SECOND;
    properties.setProperty("loginTimeout", String.format(Locale.ROOT, "%.3f", login));
    // For each host, in whole seconds. The thread that logs in is left behind at the deadline, and
    // ends by these.
    String seconds = Integer.toString((int) Math.ceil(forEachHost / MILLIS_PER_SECOND));
    properties.setProperty("connectTimeout", seconds);
    properties.setProperty("socketTimeout", seconds);
    @Nullable Connection connection = new Driver().connect(url, properties);
    if (connection == null) {
      throw new BadRequestException(
          "PostgreSQL's driver does not take the URI of %s.".formatted(DatabaseName.ofUrl(url)));
    }
    return connection;
  }
}
