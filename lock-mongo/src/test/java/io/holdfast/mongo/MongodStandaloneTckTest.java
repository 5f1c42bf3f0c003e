package io.holdfast.mongo;

import io.holdfast.tck.report.Adapter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The whole kit on a standalone server, whose clock goes on when it is started again. */
@OnMongod
@Adapter("mongodb")
class MongodStandaloneTckTest extends MongodKit {

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
  String uri(String database) {
    return "mongodb://127.0.0.1:%d/%s".formatted(server.port(), database);
  }

  @Override
  void restartServers() {
    server.restart();
  }
}
