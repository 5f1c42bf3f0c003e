package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.record.RevokeWhen;
import io.holdfast.testing.zookeeper.ZooServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that belong to who has made them. */
@Tag("server")
class ZooAccessTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static ZooServer server;

  @BeforeAll
  static void start() {
    server = ZooServer.launch();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static LockClient connect(String login) {
    return Holdfast.connect(
        "zookeeper://%s%s/shop?tickTime=200".formatted(login, server.address()));
  }

  @Test
  void aUsersLocksAreItsOwn() {
    try (LockClient one = connect("app:p%40ss@");
        LockClient other = connect("app:p%40ss@")) {
      Grant held = one.lock("a").acquire(TIMEOUT);
      other.revoke(other.find("a").orElseThrow(), RevokeWhen.NOW);
      try (Grant next = other.lock("a").acquire(TIMEOUT)) {
        assertThat(next.token()).isGreaterThan(held.token());
      }

      for (String login : new String[] {"", "app:wrong@", "nobody:p%40ss@"}) {
        assertThatThrownBy(() -> connect(login))
            .isInstanceOf(BackendUnusableException.class)
            .hasMessageContaining("may not do this")
            .hasMessageNotContaining("p@ss");
      }
    }
  }
}
