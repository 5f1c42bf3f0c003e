package io.holdfast.jdbc;

import io.holdfast.tck.server.DatabaseServer;
import io.holdfast.tck.server.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

@Tag("server")
class PostgresRestartTest implements ServerRestartRules {

  private static PostgresServer server;
  private PostgresSchema schema;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void makeSchema() {
    schema = PostgresSchema.make(server);
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
