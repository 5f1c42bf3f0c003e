package io.holdfast.zookeeper;

import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.server.ZooServer;
import io.holdfast.tck.store.TckStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The whole kit on a single server, each test under a path of its own. */
class ZooTckTest extends HoldfastTck {

  private static ZooServer server;

  @BeforeAll
  static void startServer() {
    server = ZooServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected TckStore openStore() {
    return new ZooTckStore(server.address(), server::restart);
  }
}
