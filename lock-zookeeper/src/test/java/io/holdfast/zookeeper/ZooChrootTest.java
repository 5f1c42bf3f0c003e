package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.testing.zookeeper.ZooServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Over an application's CuratorFramework whose connection string ends with a chroot. */
@Tag("server")
class ZooChrootTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static ZooServer server;

  @BeforeAll
  static void startServer() {
    server = ZooServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static CuratorFramework curator(String chroot) throws InterruptedException {
    int millis = (int) TIMEOUT.toMillis();
    CuratorFramework curator =
        CuratorFrameworkFactory.newClient(
            server.address() + chroot, millis, millis, new RetryOneTime(100));
    curator.start();
    assertThat(curator.blockUntilConnected(60, TimeUnit.SECONDS)).isTrue();
    return curator;
  }

  /** The client library takes it, and all its calls find nothing. */
  @Test
  void oneThatDoesNotExistIsSaid() throws Exception {
    try (CuratorFramework curator = curator("/missing");
        LockClient locks =
            Holdfast.builder()
                .connect(
                    ZookeeperLocks.on(curator, "/shop", ZooServer.TICK, Ids.OPEN_ACL_UNSAFE))) {
      assertThatThrownBy(() -> locks.lock("a").acquire(TIMEOUT))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("chroot");
    }
  }
}
