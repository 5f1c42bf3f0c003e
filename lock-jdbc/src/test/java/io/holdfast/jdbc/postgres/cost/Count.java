package io.holdfast.jdbc.postgres.cost;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What the server has counted: bytes written to its log, and pages touched; and the time it took.
 */
record Count(long bytes, long pages, long nanos) {

  private static final String COUNTS =
      """
      SELECT coalesce(sum(wal_bytes), 0), coalesce(sum(shared_blks_hit + shared_blks_read), 0)
      FROM pg_stat_statements WHERE query LIKE '%holdfast_locks%'""";

  static Count now(Statement statement) {
    try (ResultSet row = statement.executeQuery(COUNTS)) {
      row.next();
      return new Count(row.getLong(1), row.getLong(2), System.nanoTime());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  Count minus(Count other) {
    return new Count(bytes - other.bytes, pages - other.pages, nanos - other.nanos);
  }

  Count plus(Count other) {
    return new Count(bytes + other.bytes, pages + other.pages, nanos + other.nanos);
  }
}
