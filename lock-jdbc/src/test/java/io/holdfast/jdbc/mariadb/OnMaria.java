package io.holdfast.jdbc.mariadb;

import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.testing.mariadb.MariaServer;
import io.holdfast.testing.server.DatabaseServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** A test class with a MariaDB server of its own, and each of its tests with tables of its own. */
@Tag("server")
public abstract class OnMaria {

  public static MariaServer server;
  public MariaSchema schema;

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

  public DatabaseServer server() {
    return server;
  }

  public ServerSchema schema() {
    return schema;
  }

  public String uri() {
    return schema.uri();
  }
}
