package io.holdfast.jdbc;

import io.holdfast.jdbc.postgres.PostgresDialect;
import io.holdfast.tck.format.StoredFormatTck;
import io.holdfast.tck.format.StoredState;
import io.holdfast.testing.postgres.PostgresServer;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** What lies in the tables of PostgreSQL. */
@Tag("server")
class PostgresFormatTest extends StoredFormatTck {

  private static PostgresServer server;

  PostgresFormatTest() {
    super("postgresql", PostgresDialect.PROTOCOL);
  }

  @BeforeAll
  static void startServer() {
    server = PostgresServer.launch();
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
