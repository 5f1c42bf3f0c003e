package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.Sequencer;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.LockLostException;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RevokeWhen;
import io.holdfast.tck.adapter.FencedWriteRules;
import io.holdfast.tck.adapter.PausedWriterRules;
import io.holdfast.tck.mutants.FenceMutant;
import io.holdfast.tck.mutants.FenceMutants;
import io.holdfast.tck.process.client.FencedResource;
import io.holdfast.tck.report.Adapter;
import io.holdfast.testing.kit.MutantCheck;
import io.holdfast.testing.zookeeper.ZooServer;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Adapter("zookeeper")
@Tag("server")
class ZookeeperFencingTest implements FencedWriteRules, PausedWriterRules {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String NODE = "/application";

  private static final String NO_SERVER = "127.0.0.1:1";

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

  @Override
  public LockClient connect() {
    return Holdfast.connect(server.uri() + "?tickTime=200");
  }

  @Override
  public Fenced fencedBy(Sequencer holder) {
    Op held = new ZookeeperFencing(client).isHeld(holder, TIMEOUT);
    return value -> {
      try {
        client.multi(List.of(held, Op.setData(NODE, value.getBytes(StandardCharsets.UTF_8), -1)));
        return true;
      } catch (KeeperException.NoNodeException | KeeperException.BadVersionException refused) {
        return false;
      }
    };
  }

  @Override
  public Class<? extends FencedResource> resource() {
    return ZookeeperOrders.class;
  }

  @Override
  public String place() {
    return server.address();
  }

  static List<FenceMutant> mutants() {
    return FenceMutants.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void aMutantIsRejected(FenceMutant mutant) {
    MutantCheck.requireRejected(mutant, this);
  }

  /** Nobody holds it exclusively meanwhile. */
  @Test
  void aCheckOfOneThatSharesSucceedsAsLongAsTheLockStaysTaken() throws Exception {
    String name = "stays";
    ZookeeperFencing fencing = new ZookeeperFencing(client);
    try (LockClient locks = connect()) {
      Grant grant =
          locks.lock(name).acquire(AcquireOptions.forever().shared().atLeast(Duration.ofHours(1)));
      Op held = fencing.isHeld(grant.sequencer(), TIMEOUT);
      grant.release();

      client.multi(List.of(held, Op.setData(NODE, new byte[0], -1)));
      assertThatThrownBy(() -> fencing.isHeld(grant.sequencer(), TIMEOUT))
          .isInstanceOf(LockLostException.class);

      locks.revoke(locks.find(name).orElseThrow(), RevokeWhen.SAFELY);
      assertThatThrownBy(() -> client.multi(List.of(held, Op.setData(NODE, new byte[0], -1))))
          .isInstanceOf(KeeperException.NoNodeException.class);
    }
  }

  /** ZooKeeper does not tell what was written; another check tells that the lock is held. */
  @Test
  void aNoticeTakesAnotherCheck() throws Exception {
    try (LockClient locks = connect();
        Grant grant = locks.lock("noticed before").acquire(TIMEOUT)) {
      Fenced before = fencedBy(grant.sequencer());
      LockRecord seen = locks.find("noticed before").orElseThrow();
      locks.revokeIn(seen, seen.holders().get(0), Duration.ofHours(1));

      assertThat(before.write("with the check of before")).isFalse();
      assertThat(fencedBy(grant.sequencer()).write("with another")).isTrue();
    }
  }

  @Test
  void anEnsembleThatIsAwayIsToldAsEverywhereElse() throws Exception {
    try (ZooKeeper away = new ZooKeeper(NO_SERVER, 20_000, event -> {})) {
      ZookeeperFencing fencing = new ZookeeperFencing(away);
      assertThatThrownBy(
              () -> fencing.isHeld(Sequencer.parse("a:exclusive:1"), Duration.ofMillis(300)))
          .isInstanceOf(BackendUnreachableException.class);
    }
  }
}
