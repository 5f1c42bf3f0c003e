package io.holdfast.benchmarks.store;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Shared by the SQL databases. */
final class Databases {

  private Databases() {}

  /** Returns the product and its version, as its driver tells them. */
  static String product(String uri) {
    try (Connection connection = DriverManager.getConnection(uri)) {
      DatabaseMetaData data = connection.getMetaData();
      return data.getDatabaseProductName() + " " + data.getDatabaseProductVersion();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
