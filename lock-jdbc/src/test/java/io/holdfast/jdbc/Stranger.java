package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Somebody else's transaction in the tables: what it has changed stays locked until it ends. */
final class Stranger implements AutoCloseable {

  private final Connection connection;

  private Stranger(Connection connection) {
    this.connection = connection;
  }

  static Stranger at(String uri) throws SQLException {
    Connection connection = DriverManager.getConnection(uri);
    connection.setAutoCommit(false);
    return new Stranger(connection);
  }

  /** Executes a statement and returns how many rows it changed, and keeps locked. */
  int change(String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return statement.executeUpdate();
    }
  }

  /** Undoes what it has done, and so lets others go on. */
  void rollBack() throws SQLException {
    connection.rollback();
  }

  @Override
  public void close() throws SQLException {
    rollBack();
    connection.close();
  }
}
