package io.holdfast.jdbc.postgres.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.LockLostException;
import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.testing.postgres.PostgresPair;
import io.holdfast.testing.postgres.PostgresServer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A server dies, and a replica that lacks its last commits is promoted, as applications see it. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class PostgresPromotionTest {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);
  private static final Duration TTL = Duration.ofSeconds(6);

  /** The namespace's settings go with its data, whoever connects first. */
  private static LockClient client(String uri) {
    return Holdfast.builder().defaultTtl(TTL).maxTtl(TTL).connect(uri);
  }

  @Test
  void aHolderAndAWaiterOutliveAPromotionAndWhatWasLostIsGrantedToNobodyTooEarly() {
    Queue<Grant> lost = new ArrayDeque<>();
    try (ShiftedClock clock = ShiftedClock.make();
        PostgresPair servers = PostgresPair.launch(clock);
        LockClient one = client(servers.uri());
        LockClient other = client(servers.uri())) {
      // given
      Grant held = one.lock("a").acquire(WAIT_MAX);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock("a").acquire(WAIT_MAX));
      await().atMost(WAIT_MAX).until(() -> !other.find("a").orElseThrow().waiters().isEmpty());

      // when
      servers.failOverLosing(() -> lost.add(one.lock("b").acquire(WAIT_MAX)));

      // then
      Grant believed = lost.remove();
      Grant anew = other.lock("b").acquire(WAIT_MAX);
      assertThat(believed.remaining()).isZero();
      assertThat(anew.token()).isGreaterThan(believed.token());
      assertThatThrownBy(believed::check).isInstanceOf(LockLostException.class);
      assertThatThrownBy(held::check).isInstanceOf(LockLostException.class);
      try (Grant next = waits.join()) {
        assertThat(next.token()).isGreaterThan(held.token());
      }
      try (Grant again = one.lock("a").acquire(WAIT_MAX)) {
        again.check();
      }
    }
  }

  @Test
  void aReplicaIsRefused() {
    try (PostgresServer primary = PostgresServer.launch();
        PostgresServer replica = primary.replicate(ServerProcess.freePort())) {
      assertThatThrownBy(() -> Holdfast.connect(replica.uri()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("is a replica")
          .hasMessageContaining("targetServerType=primary");
    }
  }
}
