package io.holdfast.zookeeper.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.zookeeper.ZooEnsemble;
import io.holdfast.testing.zookeeper.ZooServer;
import io.holdfast.zookeeper.ZookeeperLockProvider;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A follower that is cut off from its leader goes on answering pings and reads for a while. */
@Tag("server")
class ZooCutOffTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static LockClient client(String addresses) {
    return Holdfast.builder().defaultTtl(Duration.ofSeconds(1)).connect(uri(addresses));
  }

  private static String uri(String addresses) {
    return "zookeeper://%s?tickTime=%d".formatted(addresses, ZooServer.TICK.toMillis());
  }

  private static LockBackend backend(ZooServer member) {
    return new ZookeeperLockProvider()
        .connect(uri(member.address()), BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  private static Duration renewed(LockBackend backend, SessionId session) {
    Renewed renewed = backend.renew(session, StoreFixture.soon());
    assertThat(renewed).isInstanceOf(Renewed.Alive.class);
    return ((Renewed.Alive) renewed).ttl();
  }

  @Test
  void aHolderOnAFollowerThatIsCutOffGivesUpBeforeAnybodyElseIsGranted() {
    try (ZooEnsemble ensemble = ZooEnsemble.launchWithTheFirstApart(3);
        LockClient apart = client(ensemble.members().get(0).address());
        LockClient other = client(ensemble.members().get(1).address())) {
      // given
      Grant held = apart.lock("a").acquire(TIMEOUT);

      // when
      ensemble.cutTheFirstOff();

      // then
      try (Grant next = other.lock("a").acquire(TIMEOUT)) {
        assertThat(held.isHeld()).isFalse();
        assertThat(next.token()).isGreaterThan(held.token());
      }
    }
  }

  /**
   * A follower passes a write on at once, and tells the leader half a tick later that the session
   * lives. If it is cut off in between, the leader counts from the renewal before.
   */
  @Test
  void aSessionIsNotEndedBeforeWhatItsLastRenewalGrantedIsOver() {
    try (ZooEnsemble ensemble = ZooEnsemble.launchWithTheFirstApart(3);
        LockBackend apart = backend(ensemble.members().get(0));
        LockBackend other = backend(ensemble.members().get(1))) {
      // given
      Duration ttl = ZooServer.TICK.multipliedBy(20);
      SessionId id = SessionId.fresh();
      SessionSpec spec = new SessionSpec(id, ttl, 0, new ProcessIdentity("test"));
      apart.open(spec, StoreFixture.soon());
      LockSupport.parkNanos(ttl.toNanos() / 3);
      renewed(apart, id);
      LockSupport.parkNanos(ttl.toNanos() / 3);

      // when
      long sentNanos = System.nanoTime();
      Duration granted = renewed(apart, id);
      ensemble.cutTheFirstOff();

      // then
      await()
          .atMost(TIMEOUT)
          .until(() -> other.end(id, EndIf.LAPSED, StoreFixture.soon()) == Ended.OVER);
      assertThat(Duration.ofNanos(System.nanoTime() - sentNanos)).isGreaterThan(granted);
    }
  }
}
