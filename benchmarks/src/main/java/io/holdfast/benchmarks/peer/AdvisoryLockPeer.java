package io.holdfast.benchmarks.peer;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/**
 * An advisory lock of PostgreSQL, which the session that holds a connection holds.
 *
 * @param url the JDBC URL, with the user
 */
record AdvisoryLockPeer(String url) implements Peer {

  @Override
  public String name() {
    return "pg_advisory_lock";
  }

  @Override
  public String settings() {
    return "pg_advisory_lock() and pg_advisory_unlock() of a key of 64 bits, half of the name's"
        + " MD5, on one connection that is borrowed meanwhile, "
        + ConnectionPool.SETTINGS;
  }

  @Override
  public OpenContender open(int threads) {
    HikariDataSource database = ConnectionPool.open(url, threads);
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) {
        byte[] name = lock.getBytes(StandardCharsets.UTF_8);
        long key = UUID.nameUUIDFromBytes(name).getMostSignificantBits();
        return () -> {
          try (Connection session = database.getConnection()) {
            lock(session, key);
            unlock(session, key);
          }
        };
      }

      @Override
      public void close() {
        database.close();
      }
    };
  }

  private static void lock(Connection session, long key) throws SQLException {
    try (PreparedStatement lock = session.prepareStatement("SELECT pg_advisory_lock(?)")) {
      lock.setLong(1, key);
      lock.execute();
    }
  }

  private static void unlock(Connection session, long key) throws SQLException {
    try (PreparedStatement unlock = session.prepareStatement("SELECT pg_advisory_unlock(?)")) {
      unlock.setLong(1, key);
      try (ResultSet result = unlock.executeQuery()) {
        if (!result.next() || !result.getBoolean(1)) {
          throw new IllegalStateException("The session did not hold the lock.");
        }
      }
    }
  }
}
