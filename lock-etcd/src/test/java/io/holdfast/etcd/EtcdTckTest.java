package io.holdfast.etcd;

import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.server.EtcdServer;
import io.holdfast.tck.store.TckStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The whole kit on a single server, each test under a prefix of its own. */
@Tag("server")
class EtcdTckTest extends HoldfastTck {

  private static EtcdServer server;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected TckStore openStore() {
    return new EtcdTckStore(server.address(), server::restart);
  }
}
