package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.testing.zookeeper.ZooServer;
import java.time.Duration;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An error strikes while the client library connects, such as that there is no further thread. */
@Tag("server")
class ZooErrorWhileConnectingTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  /** What the library is told to connect with. */
  static final class Broken {
    static {
      strike();
    }

    private static void strike() {
      throw new IllegalStateException("no sockets here (test)");
    }
  }

  @Test
  void theNextCallConnectsAgain() {
    try (ZooServer server = ZooServer.launch()) {
      Connector connector =
          new Connector(ZookeeperUri.parse("zookeeper://" + server.address()), "here");
      OwnConnection connection = OwnConnection.forNoSession(connector, LONG);
      String before = System.getProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "");
      System.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, Broken.class.getName());
      try {
        assertThatThrownBy(() -> connection.connected(Deadline.in(LONG)))
            .isInstanceOf(BackendFailure.class)
            .hasMessageContaining("in trouble");
      } finally {
        System.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, before);
        if (before.isEmpty()) {
          System.clearProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET);
        }
      }
      assertThat(connection.connected(Deadline.in(LONG)).getState().isConnected()).isTrue();
      connection.disconnect();
    }
  }
}
