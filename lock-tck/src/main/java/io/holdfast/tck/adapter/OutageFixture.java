package io.holdfast.tck.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.ClientBuilder;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** A holder and a waiter whose servers fail, and what both must observe. */
@FunctionalInterface
public interface OutageFixture {

  /** How long any step may take on a slow machine. */
  Duration TIMEOUT = Duration.ofSeconds(90);

  /** Returns where the locks are, which no other test uses. */
  String uri();

  /** Returns a TTL within which the servers are back, or have elected another leader. */
  default Duration ttl() {
    return Duration.ofSeconds(40);
  }

  /** Returns another client. */
  default LockClient client(Duration ttl) {
    return client(Holdfast.builder().defaultTtl(ttl));
  }

  /** Returns another client, once it can connect: a cluster that stood still elects a leader. */
  default LockClient client(ClientBuilder settings) {
    return answered(() -> settings.connect(uri()));
  }

  /** Has one client wait for the lock that the other holds, and returns when it is in the queue. */
  default CompletableFuture<Grant> waiting(LockClient waiter, Grant held, LockClient holder) {
    String name = held.name().value();
    CompletableFuture<Grant> waits =
        CompletableFuture.supplyAsync(() -> waiter.lock(name).acquire(TIMEOUT));
    await().atMost(TIMEOUT).until(() -> holder.find(name).orElseThrow().waiters().size() == 1);
    return waits;
  }

  /** A holder with a live session keeps its lock during a fault; its waiter is served after it. */
  default void holdAndWaitOver(Runnable fault) {
    try (LockClient one = client(ttl());
        LockClient other = client(ttl())) {
      // given
      Grant held = one.lock("a").acquire(TIMEOUT);
      CompletableFuture<Grant> waits = waiting(other, held, one);
      List<RequestId> queue = queue(one.find("a").orElseThrow());

      // when
      fault.run();

      // then; a holder believes for a while also in a grant of which no other knows
      try (LockClient newcomer = client(ttl())) {
        assertThat(answered(() -> newcomer.lock("a").tryAcquire()))
            .as("what a newcomer is granted beside the holder")
            .isEmpty();
        assertThat(answered(() -> newcomer.find("a")))
            .hasValueSatisfying(
                seen -> {
                  assertThat(seen.number()).isEqualTo(held.token().number());
                  assertThat(seen.holder().map(Holder::liveness))
                      .hasValueSatisfying(found -> assertThat(found).isNotEqualTo(Liveness.ENDED));
                  assertThat(queue(seen)).containsAll(queue);
                });
      }
      held.check();
      assertThat(waits).isNotDone();
      assertThat(held.release()).isNotEqualTo(ReleaseOutcome.LOST);
      try (Grant next = waits.join()) {
        assertThat(next.token()).isGreaterThan(held.token());
        next.check();
      }
    }
  }

  private static List<RequestId> queue(LockRecord record) {
    return record.waiters().stream().map(Waiter::request).toList();
  }

  /** Earlier connections may fail, and servers refuse new ones for a while. */
  private static <T> T answered(Callable<T> call) {
    return await()
        .atMost(TIMEOUT)
        .ignoreExceptionsInstanceOf(BackendUnreachableException.class)
        .until(call, answer -> true);
  }
}
