package io.holdfast.jdbc;

import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.tck.format.StoredFormatTck;
import io.holdfast.tck.format.StoredState;
import io.holdfast.testing.mariadb.MariaServer;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** What lies in the tables of MariaDB. */
@Tag("server")
class MariaFormatTest extends StoredFormatTck {

  private static MariaServer server;

  MariaFormatTest() {
    super("mariadb", QueueTextDialect.PROTOCOL);
  }

  @BeforeAll
  static void startServer() {
    server = MariaServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected StoredState openState() throws SQLException {
    SqlState state = new SqlState(server.uri(), "");
    state.clear();
    return state;
  }
}
