package io.holdfast.zookeeper.connection;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.testing.zookeeper.ZooServer;
import java.time.Duration;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A path whose nodes are the user's, below nodes to which it has no right. */
@Tag("server")
class ZooRightsAboveTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static ZooServer server;

  @BeforeAll
  static void start() throws Exception {
    server = ZooServer.launch();
    try (ZooKeeper operator = new ZooKeeper(server.address(), 60_000, event -> {})) {
      operator.addAuthInfo("digest", "app:secret".getBytes(UTF_8));
      operator.create("/team", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      for (String path : new String[] {"/shop", "/team/shop"}) {
        operator.create(path, new byte[0], Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
      }
      operator.setACL("/team", Ids.READ_ACL_UNSAFE, -1);
      operator.setACL("/", Ids.READ_ACL_UNSAFE, -1);
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static LockClient connect(String path) {
    return Holdfast.connect(
        "zookeeper://app:secret@%s%s?tickTime=%d"
            .formatted(server.address(), path, ZooServer.TICK.toMillis()));
  }

  /** Each makes other nodes: of the session, of a queue and its bucket, of the list of stays. */
  @Test
  void whoHasAllRightsOnThePathNeedsNoneAboveIt() {
    for (String path : new String[] {"/shop", "/team/shop"}) {
      try (LockClient locks = connect(path)) {
        Grant first = locks.lock("a").acquire(TIMEOUT);
        Grant second = locks.lock("b").acquire(AcquireOptions.within(TIMEOUT).lockDelay(TIMEOUT));
        assertThat(first.isHeld()).isTrue();
        assertThat(second.isHeld()).isTrue();
        second.close();
        first.close();
      }
    }
  }

  @Test
  void whatCannotBeMadeForLackOfRightsIsSaid() {
    try (LockClient locks = connect("/missing")) {
      assertThatThrownBy(() -> locks.lock("a").acquire(TIMEOUT))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("may not do this");
    }
  }
}
