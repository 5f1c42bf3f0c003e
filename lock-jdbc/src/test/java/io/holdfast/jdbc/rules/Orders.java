package io.holdfast.jdbc.rules;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.Sequencer;
import io.holdfast.jdbc.JdbcFencing;
import io.holdfast.tck.process.client.FencedResource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** An application's table beside that of its fencing tokens. Has the example of docs/fencing.md. */
public final class Orders implements FencedResource {

  private static final int ID = 42;

  private final JdbcFencing fencing = new JdbcFencing();
  private final Database dataSource;

  /** Opens the tables at a URI. */
  Orders(String uri) {
    this.dataSource = new Database(uri);
  }

  /** Makes the tables at a URI, with one order. */
  static void make(String uri) throws SQLException {
    Orders orders = new Orders(uri);
    try (Connection connection = orders.dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      orders.fencing.createTable(connection);
      orders.fencing.createTable(connection); // As the next application does.
      statement.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, state VARCHAR(100))");
      statement.execute("INSERT INTO orders (id, state) VALUES (42, 'new')");
    }
  }

  /** Leads to the database as a pool of the application does. */
  record Database(String uri) {
    Connection getConnection() throws SQLException {
      // H2 has a user whatever the URI says.
      Connection connection =
          uri.startsWith("jdbc:h2:")
              ? DriverManager.getConnection(uri, "sa", "")
              : DriverManager.getConnection(uri);
      if (uri.startsWith("jdbc:sqlite:")) {
        try (Statement statement = connection.createStatement()) {
          // One transaction waits for another for longer than a machine stands still.
          statement.execute("PRAGMA busy_timeout = 60000");
        }
      }
      return connection;
    }
  }

  /** Writes for whoever shows a sequencer. */
  public void write(Sequencer sequencer, String state) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      fencing.admit(connection, sequencer); // throws StaleTokenException
      update(connection, state);
      connection.commit();
    }
  }

  /** Does the same, and something else between the check and the write. */
  void write(Sequencer sequencer, String state, Runnable meanwhile) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      fencing.admit(connection, sequencer);
      meanwhile.run();
      update(connection, state);
      connection.commit();
    }
  }

  /** Lets somebody in without a transaction. */
  void admitWithoutTransaction(Sequencer sequencer) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      fencing.admit(connection, sequencer);
    }
  }

  private static void update(Connection connection, String state) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE orders SET state = ? WHERE id = ?")) {
      statement.setString(1, state);
      statement.setInt(2, ID);
      statement.executeUpdate();
    }
  }

  @Override
  public String read() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT state FROM orders WHERE id = " + ID)) {
      row.next();
      return row.getString(1);
    }
  }

  @Override
  public LockClient locks(Duration ttl) {
    return Holdfast.builder().defaultTtl(ttl).connect(dataSource.uri());
  }

  @Override
  public Writer writer(Grant grant) {
    return state -> write(grant.sequencer(), state);
  }

  @Override
  public void close() {}
}
