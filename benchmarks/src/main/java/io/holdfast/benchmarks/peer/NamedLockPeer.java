package io.holdfast.benchmarks.peer;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A lock by name of MariaDB, which the session that holds a connection holds.
 *
 * @param url the JDBC URL, with the user
 */
record NamedLockPeer(String url) implements Peer {

  @Override
  public String name() {
    return "GET_LOCK";
  }

  @Override
  public String settings() {
    return "GET_LOCK(name, 15) and RELEASE_LOCK(name) on one connection that is borrowed meanwhile, "
        + ConnectionPool.SETTINGS;
  }

  @Override
  public OpenContender open(int threads) {
    HikariDataSource database = ConnectionPool.open(url, threads);
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) {
        return () -> {
          try (Connection session = database.getConnection()) {
            demandOne(session, "SELECT GET_LOCK(?, 15)", lock);
            demandOne(session, "SELECT RELEASE_LOCK(?)", lock);
          }
        };
      }

      @Override
      public void close() {
        database.close();
      }
    };
  }

  /** Both functions return 1 if they did what was asked. */
  private static void demandOne(Connection session, String sql, String lock) throws SQLException {
    try (PreparedStatement statement = session.prepareStatement(sql)) {
      statement.setString(1, lock);
      try (ResultSet result = statement.executeQuery()) {
        if (!result.next() || result.getInt(1) != 1) {
          throw new IllegalStateException(sql + " did not return 1.");
        }
      }
    }
  }
}
