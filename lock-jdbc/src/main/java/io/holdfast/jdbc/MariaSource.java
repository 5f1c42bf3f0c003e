package io.holdfast.jdbc;

import io.holdfast.BackendUnusableException;
import io.holdfast.BadRequestException;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Connects to the database of MariaDB or MySQL that a URI names. */
final class MariaSource implements ConnectionSource {

  /** What the URI of a database begins with. */
  static final String SCHEME = "jdbc:mariadb:";

  /** What the URI of a database may begin with too. */
  static final String MYSQL_SCHEME = "jdbc:mysql:";

  /** A database is named behind the hosts. */
  private static final Pattern FORM = Pattern.compile("jdbc:\\w+:[\\w:+-]*//[^?]*[^/?]/[^/?].*");

  /** A connection that comes too late is for whoever asks next, so it is given some time. */
  private static final int LEAST_MILLIS = 5000;

  private final String uri;

  /**
   * Reads a URI.
   *
   * @throws BadRequestException if it names no database
   */
  MariaSource(String uri) {
    if (!FORM.matcher(uri).matches()) {
      throw new BadRequestException(
          "The URI does not name a database of MariaDB or MySQL. Give one such as jdbc:mariadb://host:3306/database");
    }
    this.uri = uri;
  }

  @Override
  public Taken take(Deadline deadline) throws SQLException {
    Properties properties = new Properties();
    String millis = Integer.toString(Math.max(LEAST_MILLIS, deadline.remainingMillis()));
    properties.setProperty("connectTimeout", millis);
    properties.setProperty("socketTimeout", millis);
    String target = driverUri(uri);
    @Nullable Connection connection = driver(target).connect(target, properties);
    if (connection == null) {
      throw new BadRequestException(
          "The driver does not take the URI of %s.".formatted(DatabaseName.ofUrl(uri)));
    }
    return Taken.ours(connection);
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
