package io.holdfast.tck.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.LockLostException;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.server.StoreServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A holder and a waiter when their only server stops and is started again. */
@Topic(value = "SRV", level = Level.LOSS, clause = "docs/guarantees.md, Nobody is stranded")
public interface ServerRestartRules extends OutageFixture {

  /** Returns the server, which keeps all that it has answered. */
  StoreServer server();

  @Test
  @Rule("HF-SRV-01")
  default void whatIsHeldAndAwaitedIsSoAfterARestart() {
    holdAndWaitOver(server()::restart);
  }

  @Test
  @Rule("HF-SRV-02")
  default void whatIsHeldAndAwaitedIsSoAfterAKill() {
    holdAndWaitOver(
        () -> {
          server().kill();
          server().start();
        });
  }

  @Test
  @Rule("HF-SRV-03")
  default void whatIsHeldAndAwaitedIsSoAfterAStandstill() {
    holdAndWaitOver(
        () -> {
          server().pause();
          server().resume();
        });
  }

  @Test
  @Rule("HF-SRV-04")
  default void aHolderWhoseServerIsGoneForLongStopsBelievingAndTheLockIsToBeHadWhenItIsBack() {
    Duration ttl = Duration.ofSeconds(1);
    try (LockClient one = client(ttl);
        LockClient other = client(ttl)) {
      // given
      Grant held = one.lock("a").acquire(TIMEOUT);

      // when
      server().kill();
      try {
        assertThatThrownBy(() -> other.lock("a").tryAcquire())
            .isInstanceOf(BackendUnreachableException.class);
        await().atMost(TIMEOUT).until(() -> !held.isHeld());
        assertThatThrownBy(held::check).isInstanceOf(LockLostException.class);
      } finally {
        server().start();
      }

      // then
      try (Grant next = other.lock("a").acquire(TIMEOUT)) {
        assertThat(next.token()).isGreaterThan(held.token());
      }
      one.lock("a").acquire(TIMEOUT).close();
    }
  }
}
