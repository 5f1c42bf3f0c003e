package io.holdfast.jdbc.mariadb.connections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.mariadb.OnMaria;
import io.holdfast.jdbc.rules.HandBackRules;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

class MariaHandBackTest extends OnMaria implements HandBackRules {

  @Override
  public void requireQuiet(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet released = statement.executeQuery("SELECT RELEASE_ALL_LOCKS()")) {
      assertThat(released.next()).isTrue();
      assertThat(released.getInt(1)).as("locks of GET_LOCK").isZero();
    }
  }
}
