package io.holdfast.mongo.mongod;

import io.holdfast.mongo.MongodTckBase;
import io.holdfast.tck.report.Adapter;
import io.holdfast.testing.mongo.MongodServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The whole kit on a standalone server, whose clock goes on when it is started again. */
@RequiresMongod
@Adapter("mongodb")
class MongodStandaloneTckTest extends MongodTckBase {

  private static MongodServer server;

  @BeforeAll
  static void start() {
    server = MongodServer.launch();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  protected String uri(String database) {
    return "mongodb://127.0.0.1:%d/%s".formatted(server.port(), database);
  }

  @Override
  protected void restartServers() {
    server.restart();
  }
}
