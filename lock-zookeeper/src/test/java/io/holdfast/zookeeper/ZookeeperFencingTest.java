package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockLostException;
import io.holdfast.RevokeWhen;
import io.holdfast.tck.server.ZooServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class ZookeeperFencingTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String NODE = "/application";

  private static ZooServer server;
  private static ZooKeeper client;

  @BeforeAll
  static void start() throws Exception {
    server = ZooServer.launch();
    client = new ZooKeeper(server.address(), 20_000, event -> {});
    client.create(NODE, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    server.close();
  }

  private static LockClient connect() {
    return Holdfast.connect(server.uri() + "?tickTime=200");
  }

  private static boolean write(Op held, String value) throws Exception {
    try {
      client.multi(List.of(held, Op.setData(NODE, value.getBytes(StandardCharsets.UTF_8), -1)));
      return true;
    } catch (KeeperException.NoNodeException refused) {
      return false;
    }
  }

  private static Op check(Grant grant) {
    return new ZookeeperFencing(client).isHeld(grant.name(), grant.token(), PATIENCE);
  }

  @Test
  void aHolderWritesUntilItHasGivenBack() throws Exception {
    try (LockClient locks = connect()) {
      Grant grant = locks.lock("given back").acquire();
      Op held = check(grant);

      assertThat(write(held, "one")).isTrue();
      assertThat(write(held, "two")).isTrue();
      grant.release();
      assertThat(write(held, "three")).isFalse();
    }
  }

  @Test
  void aHolderThatWasOvertakenWritesNothingAlthoughItBelieves() throws Exception {
    try (LockClient locks = connect();
        LockClient others = connect()) {
      // given
      Grant grant = locks.lock("overtaken").acquire();
      Op held = check(grant);

      // when
      others.revoke(others.find("overtaken").orElseThrow(), RevokeWhen.NOW);
      Grant next = others.lock("overtaken").acquire();

      // then
      assertThat(write(held, "stale")).isFalse();
      assertThat(write(check(next), "fresh")).isTrue();
      assertThatThrownBy(() -> check(grant)).isInstanceOf(LockLostException.class);
    }
  }
}
