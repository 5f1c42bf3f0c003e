package io.holdfast.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.error.BadRequestException;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.zookeeper.ZookeeperLockProvider;
import io.holdfast.zookeeper.ZookeeperLocks;
import io.holdfast.zookeeper.queue.CountedServer;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers grant what they are configured for, to a session that moves to them, too. */
class ShorterTimeoutTest {

  @TempDir private Path directory;
  private CountedServer server;

  @BeforeEach
  void start() throws Exception {
    server = new CountedServer(directory.resolve("data"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aRenewalGrantsNoMoreThanTheServerThatTheSessionHasMovedTo() {
    try (LockBackend backend =
        new ZookeeperLockProvider()
            .connect(server.uri(), BackendOptions.DEFAULTS, StoreFixture.soon())) {
      SessionId id = SessionId.fresh();
      Duration ttl = Duration.ofSeconds(30);
      backend.open(new SessionSpec(id, ttl, 0, new ProcessIdentity("test")), StoreFixture.soon());
      Duration lower = Duration.ofSeconds(10);

      server.grantAtMost(lower);

      Renewed renewed = backend.renew(id, StoreFixture.soon());
      assertThat(renewed).isInstanceOf(Renewed.Alive.class);
      assertThat(((Renewed.Alive) renewed).ttl()).isLessThan(lower);
    }
  }

  @Test
  void anApplicationsClientWithATimeoutOfAFewTicksIsRefused() {
    Duration shortest = server.tick().multipliedBy(3);
    try (CuratorFramework curator =
        CuratorFrameworkFactory.builder()
            .connectString(server.address())
            .sessionTimeoutMs((int) shortest.toMillis())
            .retryPolicy(new RetryOneTime(1))
            .build()) {
      curator.start();
      try (LockBackend backend =
          ZookeeperLocks.on(curator, "/holdfast", server.tick(), Ids.OPEN_ACL_UNSAFE)
              .connect(BackendOptions.DEFAULTS, StoreFixture.soon())) {
        SessionSpec spec =
            new SessionSpec(
                SessionId.fresh(), Duration.ofSeconds(1), 0, new ProcessIdentity("test"));

        assertThatThrownBy(() -> backend.open(spec, StoreFixture.soon()))
            .isInstanceOf(BadRequestException.class)
            .hasMessageContaining("ten ticks");
      }
    }
  }
}
