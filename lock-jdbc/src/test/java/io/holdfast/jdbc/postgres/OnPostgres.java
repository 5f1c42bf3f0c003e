package io.holdfast.jdbc.postgres;

import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.testing.postgres.PostgresServer;
import io.holdfast.testing.server.DatabaseServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * A test class with a PostgreSQL server of its own, and each of its tests with tables of its own.
 */
@Tag("server")
public abstract class OnPostgres {

  public static PostgresServer server;
  public PostgresSchema schema;

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
