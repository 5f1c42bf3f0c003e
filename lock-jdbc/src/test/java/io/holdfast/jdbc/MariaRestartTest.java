package io.holdfast.jdbc;

import io.holdfast.tck.server.DatabaseServer;
import io.holdfast.tck.server.MariaServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

@Tag("server")
class MariaRestartTest implements ServerRestartRules {

  private static MariaServer server;
  private MariaSchema schema;

  @BeforeAll
  static void startServer() {
    server = MariaServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void makeSchema() {
    schema = MariaSchema.make(server);
  }

  @AfterEach
  void dropSchema() {
    schema.close();
  }

  @Override
  public DatabaseServer server() {
    return server;
  }

  @Override
  public ServerSchema schema() {
    return schema;
  }
}
