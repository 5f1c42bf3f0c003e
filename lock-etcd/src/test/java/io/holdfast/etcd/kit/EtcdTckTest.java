package io.holdfast.etcd.kit;

import io.holdfast.etcd.EtcdTckStore;
import io.holdfast.etcd.failure.EtcdFaultTest;
import io.holdfast.etcd.failure.EtcdLossTest;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.adapter.WatchPushRules;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.Http2Framing;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.store.NetworkControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.etcd.EtcdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The whole kit on a single server, each test under a prefix of its own. */
@Adapter(
    value = "etcd",
    provedBy = {EtcdClusterTest.class, EtcdFaultTest.class, EtcdLossTest.class})
@Tag("server")
class EtcdTckTest extends HoldfastTck implements WatchPushRules {

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
    return new ServerStore();
  }

  private static final class ServerStore extends EtcdTckStore implements NetworkControl {
    ServerStore() {
      super(server.address(), server::restart);
    }

    @Override
    public int serverPort() {
      return server.port();
    }

    @Override
    public Framing framing() {
      return new Http2Framing();
    }

    @Override
    public LockBackend connect(int port, BackendOptions options) {
      return connect(uri(port), options, () -> {});
    }

    @Override
    public String uri(int port) {
      return uri("127.0.0.1:" + port);
    }
  }
}
