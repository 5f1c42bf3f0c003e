package io.holdfast.zookeeper;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.adapter.WatchPushRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.ZookeeperFraming;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.store.NetworkControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.zookeeper.ZooServer;
import io.holdfast.zookeeper.failure.ZooFaultTest;
import io.holdfast.zookeeper.failure.ZooLossTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The whole kit on a single server, each test under a path of its own. */
@Adapter(
    value = "zookeeper",
    provedBy = {ZooEnsembleTest.class, ZooFaultTest.class, ZooLossTest.class})
@Tag("server")
class ZooTckTest extends HoldfastTck implements WatchPushRules {

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
    return new ServerStore();
  }

  private static final class ServerStore extends ZooTckStore implements NetworkControl {
    ServerStore() {
      super(server.address(), server::restart);
    }

    @Override
    public int serverPort() {
      return server.port();
    }

    @Override
    public Framing framing() {
      return new ZookeeperFraming();
    }

    @Override
    public LockBackend connect(int port, BackendOptions options) {
      return ZookeeperLockProvider.connect(uri(port), options, () -> {}, StoreFixture.soon());
    }

    @Override
    public String uri(int port) {
      return uriOver("127.0.0.1:" + port);
    }
  }
}
