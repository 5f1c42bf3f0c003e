package io.holdfast.benchmarks.counts;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/** The counters that a database server has of itself, asked over a connection of its own. */
final class SqlCounters implements ServerCounters, AutoCloseable {

  private final Connection connection;
  private final Statement statement;
  private final String commands;
  private final String written;

  /**
   * Connects.
   *
   * @param uri of the server itself, so that the questions are not counted as traffic
   * @param commands selects names, how often each was done, and the microseconds that it took
   * @param written selects how many bytes were written to the log so far
   * @param before the statements that are executed first
   */
  SqlCounters(String uri, String commands, String written, String... before) {
    this.commands = commands;
    this.written = written;
    try {
      connection = DriverManager.getConnection(uri);
      statement = connection.createStatement();
      for (String sql : before) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("The server does not tell what it does.", e);
    }
  }

  @Override
  public Reading read() {
    Map<String, Double> counts = new TreeMap<>();
    double micros = 0;
    try {
      try (ResultSet rows = statement.executeQuery(commands)) {
        while (rows.next()) {
          counts.merge(rows.getString(1), rows.getDouble(2), Double::sum);
          micros += rows.getDouble(3);
        }
      }
      try (ResultSet row = statement.executeQuery(written)) {
        row.next();
        return new Reading(
            Map.of(
                Figure.COMMANDS, counts.values().stream().mapToDouble(n -> n).sum(),
                Figure.WRITTEN_BYTES, row.getDouble(1),
                Figure.SERVER_MICROS, micros),
            counts);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("The server does not tell what it does.", e);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
