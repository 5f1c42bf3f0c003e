package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.BackendUnreachableException;
import io.holdfast.ClientBuilder;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockLostException;
import io.holdfast.LockRecord;
import io.holdfast.LockTimeoutException;
import io.holdfast.ReleaseOutcome;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A row that a call needs is kept locked by somebody else's transaction, for longer than the client
 * waits. The call ends in time, and arrives at the table later: nothing is left held by nobody.
 */
interface LockedRowRules {

  Duration PATIENCE = Duration.ofSeconds(60);
  Duration TTL = Duration.ofSeconds(2);
  Duration SHORT = Duration.ofMillis(300);

  /** Returns the URI of the tables, made empty for each test. */
  String uri();

  private ClientBuilder builder() {
    return Holdfast.builder().defaultTtl(TTL);
  }

  private LockClient client() {
    return builder().connect(uri());
  }

  private static void giveUpWaitingFor(LockClient client, String name) {
    assertThatThrownBy(() -> client.lock(name).acquire(SHORT))
        .isInstanceOfAny(LockTimeoutException.class, BackendUnreachableException.class);
  }

  private static void awaitNumberAbove(LockClient client, String name, long number) {
    await()
        .atMost(PATIENCE)
        .until(() -> client.find(name).map(LockRecord::number).orElse(0L) > number);
  }

  /** It is to be had, and nobody is in its queue afterwards. */
  private static void assertNothingLeft(LockClient client, String name, Grant before) {
    try (Grant next = client.lock(name).acquire(PATIENCE)) {
      assertThat(next.token()).isGreaterThan(before.token());
    }
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              LockRecord record = client.find(name).orElseThrow();
              return record.holder().isEmpty() && record.waiters().isEmpty();
            });
  }

  @Test
  default void aGrabThatArrivesAfterItsClientGaveUpHoldsNothing() throws SQLException {
    try (LockClient one = client();
        LockClient other = client();
        Stranger stranger = Stranger.at(uri())) {
      // given
      Grant before = one.lock("a").acquire(PATIENCE);
      before.close();
      stranger.change("UPDATE holdfast_locks SET since = since");

      // when
      giveUpWaitingFor(one, "a");
      stranger.rollBack();

      // then
      awaitNumberAbove(other, "a", before.token().number());
      assertNothingLeft(other, "a", before);
    }
  }

  /** The record that is in its way is not even there when all is over. */
  @Test
  default void aFirstGrabThatArrivesAfterItsClientGaveUpHoldsNothing() throws SQLException {
    try (LockClient one = client();
        LockClient other = client();
        Stranger stranger = Stranger.at(uri())) {
      // given
      Grant before = one.lock("b").acquire(PATIENCE);
      before.close();
      stranger.change(
          "UPDATE holdfast_locks SET name = ?", (Object) "a".getBytes(StandardCharsets.UTF_8));

      // when
      giveUpWaitingFor(one, "a");
      stranger.rollBack();

      // then
      awaitNumberAbove(other, "a", 0);
      assertNothingLeft(other, "a", before);
    }
  }

  @Test
  default void aJoinerThatArrivesAfterItsClientGaveUpIsHandedNothing() throws SQLException {
    try (LockClient holder = client();
        LockClient one = client();
        LockClient other = client();
        Stranger stranger = Stranger.at(uri())) {
      // given
      one.lock("b").acquire(PATIENCE).close();
      Grant grant = holder.lock("a").acquire(PATIENCE);
      stranger.change("UPDATE holdfast_locks SET since = since");

      // when
      giveUpWaitingFor(one, "a");
      stranger.rollBack();
      grant.close();

      // then
      assertNothingLeft(other, "a", grant);
    }
  }

  @Test
  default void aReleaseThatIsHeldUpIsDoneInTheBackground() throws SQLException {
    try (LockClient one = client();
        LockClient other = client();
        Stranger stranger = Stranger.at(uri())) {
      // given
      Grant grant = one.lock("a").acquire(PATIENCE);
      stranger.change("UPDATE holdfast_locks SET since = since");

      // when
      ReleaseOutcome outcome = grant.release();
      stranger.rollBack();

      // then
      assertThat(outcome).isEqualTo(ReleaseOutcome.PENDING);
      assertNothingLeft(other, "a", grant);
    }
  }

  @Test
  default void aRenewalThatIsHeldUpForLessThanTheGraceTimeKeepsTheLock() throws SQLException {
    try (LockClient one = builder().grace(PATIENCE).connect(uri());
        LockClient other = client();
        Stranger stranger = Stranger.at(uri())) {
      // given
      Grant grant = one.lock("a").acquire(PATIENCE);
      stranger.change("UPDATE holdfast_sessions SET renewed = renewed");
      await().atMost(PATIENCE).until(() -> !grant.isHeld());

      // when
      stranger.rollBack();

      // then
      grant.check();
      assertThat(other.lock("a").tryAcquire()).isEmpty();
      assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
    }
  }

  /** Its renewals arrive late and prolong a session in which nobody believes any more. */
  @Test
  default void aRenewalThatIsHeldUpForLongerLosesTheLockToTheNextWaiter() throws SQLException {
    try (LockClient one = builder().grace(Duration.ZERO).connect(uri());
        LockClient other = client();
        Stranger stranger = Stranger.at(uri())) {
      // given
      Grant grant = one.lock("a").acquire(PATIENCE);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock("a").acquire(PATIENCE));
      await().atMost(PATIENCE).until(() -> !other.find("a").orElseThrow().waiters().isEmpty());
      String session = one.health().sessions().get(0).id().value();
      stranger.change("UPDATE holdfast_sessions SET renewed = renewed WHERE id = ?", session);
      await().atMost(PATIENCE).until(() -> !grant.isHeld());

      // when
      stranger.rollBack();

      // then
      assertThatThrownBy(grant::check).isInstanceOf(LockLostException.class);
      try (Grant next = waits.join()) {
        assertThat(next.token()).isGreaterThan(grant.token());
      }
    }
  }
}
