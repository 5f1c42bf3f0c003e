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
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.faults.Verb;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * A row that a call needs is kept locked by somebody else's transaction, for longer than the client
 * waits. The call ends in time, and arrives at the table later: nothing is left held by nobody.
 * Clients keep another lock meanwhile, so that no session ends and takes what is left with it.
 */
interface LockedRowRules {

  Duration PATIENCE = Duration.ofSeconds(60);
  Duration TTL = Duration.ofSeconds(2);
  Duration SHORT = Duration.ofMillis(300);

  /** What a stranger does to a lock's row. */
  String LOCK = "UPDATE holdfast_locks SET since = since WHERE name = ?";

  /** Returns the URI of the tables, made empty for each test. */
  String uri();

  private ClientBuilder builder() {
    return Holdfast.builder().defaultTtl(TTL);
  }

  private LockClient client() {
    return builder().connect(uri());
  }

  /** Returns a client that tells what it sends. */
  private TestClient observed() {
    return new TestClient(
        new JdbcLockProvider().connect(uri(), BackendOptions.DEFAULTS, Deadline.in(PATIENCE)),
        TTL,
        UnaryOperator.identity());
  }

  private static Object bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns when its grab was cut off, and what takes it back was sent. */
  private static void giveUpWaitingFor(TestClient client, String name) {
    assertThatThrownBy(() -> client.acquire(name, SHORT))
        .isInstanceOfAny(LockTimeoutException.class, BackendUnreachableException.class);
    await().atMost(PATIENCE).until(() -> client.count(Verb.RELEASE) > 0);
  }

  /** Returns when a grab that was cut off has arrived: what holds it gets a greater number. */
  default void awaitArrival(LockClient client, String name, long number) {
    await()
        .atMost(PATIENCE)
        .until(() -> client.find(name).map(LockRecord::number).orElse(0L) > number);
  }

  /** Returns when what takes a grab back is done, though the grab has not arrived. */
  default void awaitTakenBack(TestClient client) {
    await().atMost(PATIENCE).until(() -> client.hasAnswerOf(Verb.RELEASE));
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
    try (TestClient one = observed();
        LockClient other = client();
        Stranger stranger = Stranger.at(uri())) {
      // given
      Grant keeps = one.hold("kept");
      Grant before = other.lock("a").acquire(PATIENCE);
      before.close();
      stranger.change(LOCK, bytes("a"));

      // when
      giveUpWaitingFor(one, "a");
      stranger.rollBack();

      // then
      awaitArrival(other, "a", before.token().number());
      assertNothingLeft(other, "a", before);
      keeps.check();
    }
  }

  /** Its release is done before it arrives, and finds nothing: there is no record yet. */
  @Test
  default void aFirstGrabThatArrivesAfterItsClientGaveUpHoldsNothing() throws SQLException {
    try (TestClient one = observed();
        LockClient other = client();
        Stranger stranger = Stranger.at(uri())) {
      // given
      Grant keeps = one.hold("kept");
      Grant before = other.lock("b").acquire(PATIENCE);
      before.close();
      stranger.change("UPDATE holdfast_locks SET name = ? WHERE name = ?", bytes("a"), bytes("b"));

      // when
      giveUpWaitingFor(one, "a");
      awaitTakenBack(one);
      stranger.rollBack();

      // then
      awaitArrival(other, "a", 0);
      assertNothingLeft(other, "a", before);
      keeps.check();
    }
  }

  @Test
  default void aJoinerThatArrivesAfterItsClientGaveUpIsHandedNothing() throws SQLException {
    try (LockClient holder = client();
        TestClient one = observed();
        LockClient other = client();
        Stranger stranger = Stranger.at(uri())) {
      // given
      Grant keeps = one.hold("kept");
      Grant grant = holder.lock("a").acquire(PATIENCE);
      stranger.change(LOCK, bytes("a"));

      // when
      giveUpWaitingFor(one, "a");
      stranger.rollBack();
      grant.close();

      // then
      assertNothingLeft(other, "a", grant);
      keeps.check();
    }
  }

  @Test
  default void aReleaseThatIsHeldUpIsDoneInTheBackground() throws SQLException {
    try (LockClient one = client();
        LockClient other = client();
        Stranger stranger = Stranger.at(uri())) {
      // given
      Grant grant = one.lock("a").acquire(PATIENCE);
      stranger.change(LOCK, bytes("a"));

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
