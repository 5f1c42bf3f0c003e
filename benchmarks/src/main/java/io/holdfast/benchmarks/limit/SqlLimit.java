package io.holdfast.benchmarks.limit;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * INSERT and DELETE of one row, each prepared once and committed by itself.
 *
 * @param settings how it is configured
 * @param table makes a table of two columns, the lock's name and the owner, if there is none
 * @param insert stores a name and an owner unless the name is there
 * @param delete deletes a name with its owner
 * @param database where its connections come from
 */
public record SqlLimit(
    String settings, String table, String insert, String delete, Connecting database)
    implements Contender {

  private static final String OWNER = "owner";

  /** Opens connections, or lends one that is shared. */
  @FunctionalInterface
  public interface Connecting {
    Connection connect() throws SQLException;
  }

  @Override
  public String name() {
    return "INSERT, DELETE";
  }

  @Override
  public Role role() {
    return Role.LIMIT;
  }

  @Override
  public OpenContender open(int threads) throws SQLException {
    try (Connection connection = database.connect();
        var statement = connection.createStatement()) {
      statement.execute(table);
    }
    List<Connection> connections = new CopyOnWriteArrayList<>();
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) throws SQLException {
        Connection connection = database.connect();
        connections.add(connection);
        PreparedStatement store = prepared(connection, insert, lock);
        PreparedStatement clear = prepared(connection, delete, lock);
        return () -> {
          if (store.executeUpdate() != 1) {
            throw new IllegalStateException("The row is there.");
          }
          if (clear.executeUpdate() != 1) {
            throw new IllegalStateException("The row is gone.");
          }
        };
      }

      @Override
      public void close() throws SQLException {
        for (Connection connection : connections) {
          connection.close();
        }
      }
    };
  }

  private static PreparedStatement prepared(Connection connection, String sql, String lock)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setBytes(1, lock.getBytes(StandardCharsets.UTF_8));
    statement.setString(2, OWNER);
    return statement;
  }
}
