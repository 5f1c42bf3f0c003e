package io.holdfast.jdbc.postgres.connections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.jdbc.rules.HandBackRules;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

class PostgresHandBackTest extends OnPostgres implements HandBackRules {

  @Override
  public void requireQuiet(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet channels = statement.executeQuery("SELECT pg_listening_channels()")) {
      assertThat(channels.next()).as("It listens").isFalse();
    }
    assertThat(connection.unwrap(PGConnection.class).getNotifications()).isNullOrEmpty();
  }
}
