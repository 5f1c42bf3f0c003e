package io.holdfast.jdbc;

import static org.awaitility.Awaitility.await;

import io.holdfast.LockClient;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.server.MariaServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

@Tag("server")
class MariaLockedRowTest implements LockedRowRules {

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
  public String uri() {
    return schema.uri();
  }

  /** The driver may ask the server to end what it cuts off, which does not arrive then. */
  @Override
  public void awaitArrival(LockClient client, String name, long number) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                schema
                    .text(
                        "SELECT count(*) FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'INSERT INTO holdfast_locks%'")
                    .equals("0"));
  }

  /** What takes it back waits for the same row, although that is not there yet. */
  @Override
  public void awaitTakenBack(TestClient client) {}
}
