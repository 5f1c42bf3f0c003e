package io.holdfast.jdbc.mariadb;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.connections.DatabaseName;
import io.holdfast.jdbc.connections.Hosts;
import io.holdfast.jdbc.connections.RestorableConnection;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Connects to the database of MariaDB or MySQL that a URI names. */
public final class MariaSource implements ConnectionSource {

  /** The beginning of a database's URI. */
  public static final String SCHEME = "jdbc:mariadb:";

  /** The other beginning of a database's URI. */
  public static final String MYSQL_SCHEME = "jdbc:mysql:";

  /** A database is named behind the hosts. */
  private static final Pattern FORM = Pattern.compile("jdbc:\\w+:[\\w:+-]*//[^?]*[^/?]/[^/?].*");

  /** A connection that comes too late is for the next call, so it is given some time. */
  private static final int LEAST_MILLIS = 5000;

  /**
   * Statements that are executed often are prepared at the server, which parses them only once
   * then. Where it has no room for another, the driver goes on with the text. Nothing must be
   * prepared and executed in one message: it would execute "the last one prepared", an earlier one
   * if the server had no room. The URI may say otherwise.
   */
  private static final Map<String, String> PREPARING =
      Map.of("useServerPrepStmts", "true", "disablePipeline", "true");

  private final String uri;

  /**
   * Reads a URI.
   *
   * @throws BadRequestException if it names no database
   */
  public MariaSource(String uri) {
    if (!FORM.matcher(uri).matches()) {
      throw new BadRequestException(
          "The URI does not name a database of MariaDB or MySQL. Give one such as jdbc:mariadb://host:3306/database");
    }
    this.uri = uri;
  }

  @Override
  public RestorableConnection take(Deadline deadline) throws SQLException {
    Connection connection = Hosts.connect(driverUri(uri), deadline, LEAST_MILLIS, this::logIn);
    // What prepares it has more time than the share of a host for the login.
    int millis = Math.max(LEAST_MILLIS, deadline.remainingMillis());
    connection.setNetworkTimeout(Runnable::run, millis);
    return RestorableConnection.ours(connection);
  }

  private Connection logIn(String url, int forEachHost) throws SQLException {
    Properties properties = new Properties();
    String millis = Integer.toString(forEachHost);
    properties.setProperty("connectTimeout", millis);
    properties.setProperty("socketTimeout", millis);
    if (uri.startsWith(SCHEME)) {
      PREPARING.forEach(properties::setProperty);
    }
    @Nullable Connection connection = driver(url).connect(url, properties);
    if (connection == null) {
      throw new BadRequestException(
          "The driver does not take the URI of %s.".formatted(DatabaseName.ofUrl(uri)));
    }
    return connection;
  }

  /** MySQL's own driver takes its URIs where it is on the class path, else MariaDB's does. */
  private static String driverUri(String uri) {
    return uri.startsWith(MYSQL_SCHEME) && !hasDriver(uri)
        ? SCHEME + uri.substring(MYSQL_SCHEME.length())
        : uri;
  }

  private static boolean hasDriver(String uri) {
    try {
      DriverManager.getDriver(uri);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static Driver driver(String uri) {
    try {
      return DriverManager.getDriver(uri);
    } catch (SQLException e) {
      throw new BackendUnusableException(
          "MariaDB's driver is not on the class path: add the jar of org.mariadb.jdbc:mariadb-java-client.",
          e);
    }
  }
}
