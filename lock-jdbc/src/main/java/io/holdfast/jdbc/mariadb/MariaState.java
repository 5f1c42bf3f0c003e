package io.holdfast.jdbc.mariadb;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server of MariaDB or MySQL that can be used.
 *
 * @param place its host and port, and its id
 * @param started when it was started, in seconds
 * @param durable whether it loses nothing when it is started again
 */
record MariaState(String place, long started, boolean durable) {

  /** The start of the server, in seconds, as long as a connection leads to it. */
  static final String STARTED = "@holdfast_started";

  /**
   * The host and port, and what tells servers apart that have been there one after the other: the
   * id, which no two have of which one replicates the other, and that which MySQL gives to each
   * directory of data. MariaDB reads that as a comment, and has nothing like it.
   */
  static final String PLACE =
      "concat(@@hostname, ':', @@port, '/', @@global.server_id /*!80000 , '-', @@server_uuid */)";

  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

  /** The first with JSON_TABLE. */
  private static final int MARIADB_MAJOR = 10;

  private static final int MARIADB_MINOR = 6;
  private static final int MYSQL_MAJOR = 8;

  /**
   * Keeps the start where only this connection of the server knows it. Both count the uptime up to
   * the statement's begin, as UNIX_TIMESTAMP does: so a clock that was stepped since moves both. A
   * proxy that does this again on another connection gets the start of the server there.
   */
  private static final String KEEP_START =
      """
      SET %s = (SELECT CAST(UNIX_TIMESTAMP() - variable_value AS signed)
                FROM %s.global_status WHERE variable_name = 'UPTIME')""";

  /**
   * A commit is there after the machine has died if both the log of InnoDB and, where there is one,
   * that of statements are, by which the former is judged.
   */
  private static final String STATE =
      """
      SELECT %s AS place,
             %s AS started,
             @@innodb_flush_log_at_trx_commit = 1 AND (@@log_bin = 0 OR @@sync_binlog = 1)
               AS durable,
             @@read_only NOT IN ('0', 'OFF') OR @@innodb_read_only <> 0 AS readonly,
             BENCHMARK(1000, sha1('a moment')) AS moment, SYSDATE(6) = NOW(6) AS frozen"""
          .formatted(PLACE, STARTED);

  /**
   * Asks a server.
   *
   * @throws BackendUnusableException if it cannot be used
   * @throws BackendFailure if not all answers came from one server
   */
  static MariaState read(Connection connection, String database) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      String schema;
      try (ResultSet row = statement.executeQuery("SELECT VERSION()")) {
        row.next();
        schema = requireVersion(row.getString(1), database);
      }
      statement.execute(KEEP_START.formatted(STARTED, schema));
      try (ResultSet row = statement.executeQuery(STATE)) {
        row.next();
        long started = row.getLong("started");
        if (row.wasNull()) { // Taken for a start long ago, it would end every session.
          throw MariaErrors.ledElsewhere(database, Effect.NONE, null);
        }
        requireUsable(row, database);
        return new MariaState(row.getString("place"), started, row.getBoolean("durable"));
      }
    }
  }

  /** Returns the schema in which a server of that version tells its state. */
  private static String requireVersion(String version, String database) {
    boolean mariadb = version.contains("MariaDB");
    Matcher matcher = VERSION.matcher(version);
    if (matcher.matches()) {
      int major = Integer.parseInt(matcher.group(1));
      int minor = Integer.parseInt(matcher.group(2));
      if (mariadb
          ? major > MARIADB_MAJOR || (major == MARIADB_MAJOR && minor >= MARIADB_MINOR)
          : major >= MYSQL_MAJOR) {
        return mariadb ? "information_schema" : "performance_schema";
      }
    }
    throw new BackendUnusableException(
        "%s is a server of version %s. Use MariaDB 10.6 or newer, or MySQL 8 or newer."
            .formatted(database, version));
  }

  private static void requireUsable(ResultSet row, String database) throws SQLException {
    if (row.getBoolean("readonly")) {
      throw new BackendUnusableException(
          "%s is read-only, as replicas are. Name the primary.".formatted(database));
    }
    if (row.getBoolean("frozen")) {
      throw new BackendUnusableException(
          "%s was started with sysdate_is_now, so nothing tells how long a statement has waited. Start it without."
              .formatted(database));
    }
  }

  /** Returns the incarnation of this server if none was recorded. */
  MariaIncarnation firstIncarnation() {
    return MariaIncarnation.first(place, started);
  }

  /** Returns the incarnation of this server after the one that was recorded last. */
  MariaIncarnation incarnationAfter(MariaIncarnation last) {
    return last.next(place, started, durable);
  }
}
