package io.holdfast.jdbc.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.ClientBuilder;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.jdbc.JdbcLockProvider;
import io.holdfast.jdbc.fixtures.OtherTransaction;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.faults.Verb;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * A row that a call needs is kept locked by somebody else's transaction, for longer than the client
 * waits. The call ends in time, and arrives at the table later: nothing is left held by nobody.
 * Clients keep another lock meanwhile, so that no session ends and takes what is left with it.
 */
public interface LockedRowRules {

  Duration WAIT_MAX = Duration.ofSeconds(60);
  Duration POLL = Duration.ofMillis(20);

  /** Runs out soon enough to wait for, and not while a slow machine makes a few calls. */
  Duration TTL = Duration.ofSeconds(4);

  Duration SHORT = Duration.ofMillis(300);

  /** What a stranger does to a lock's row. */
  String LOCK = "UPDATE holdfast_locks SET since = since WHERE name = ?";

  /** Returns the URI of the tables, made empty for each test. */
  String uri();

  /** Returns whether a statement waits for a row that is locked. */
  boolean isARowWaitedFor();

  private ClientBuilder builder() {
    return Holdfast.builder().defaultTtl(TTL);
  }

  private LockClient client() {
    return builder().connect(uri());
  }

  /** Returns a client that tells what it sends. */
  private TestClient observed() {
    return new TestClient(
        new JdbcLockProvider().connect(uri(), BackendOptions.DEFAULTS, Deadline.in(WAIT_MAX)),
        TTL,
        UnaryOperator.identity());
  }

  private static Object bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns when its grab was cut off, and what takes it back was sent. */
  private void giveUpWaitingFor(TestClient client, String name) {
    await().atMost(WAIT_MAX).until(() -> isCutOffWhileItWaits(client, name));
    await().atMost(WAIT_MAX).until(() -> client.count(Verb.RELEASE) > 0);
  }

  /** Not if the machine stood still, and the time was over before the grab was sent. */
  private boolean isCutOffWhileItWaits(TestClient client, String name) {
    CompletableFuture<Grant> acquires = client.waitFor(name, SHORT).result();
    AtomicBoolean waited = new AtomicBoolean();
    await()
        .atMost(WAIT_MAX)
        .pollInterval(POLL)
        .until(
            () -> {
              waited.compareAndSet(false, isARowWaitedFor());
              return acquires.isDone();
            });
    assertThatThrownBy(acquires::join)
        .cause()
        .isInstanceOfAny(LockTimeoutException.class, BackendUnreachableException.class);
    return waited.get();
  }

  /** Returns when a grab that was cut off has arrived: what holds it gets a greater number. */
  default void awaitArrival(LockClient client, String name, long number) {
    await()
        .atMost(WAIT_MAX)
        .until(() -> client.find(name).map(LockRecord::number).orElse(0L) > number);
  }

  /** Returns when what takes a grab back is done, though the grab has not arrived. */
  default void awaitTakenBack(TestClient client) {
    await().atMost(WAIT_MAX).until(() -> client.hasAnswerOf(Verb.RELEASE));
  }

  /** It is to be had, and nobody is in its queue afterwards. */
  private static void assertNothingLeft(LockClient client, String name, Grant before) {
    try (Grant next = client.lock(name).acquire(WAIT_MAX)) {
      assertThat(next.token()).isGreaterThan(before.token());
    }
    await()
        .atMost(WAIT_MAX)
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
        OtherTransaction transaction = OtherTransaction.at(uri())) {
      // given
      Grant keeps = one.hold("kept");
      Grant before = other.lock("a").acquire(WAIT_MAX);
      before.close();
      transaction.change(LOCK, bytes("a"));

      // when
      giveUpWaitingFor(one, "a");
      transaction.rollBack();

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
        OtherTransaction transaction = OtherTransaction.at(uri())) {
      // given
      Grant keeps = one.hold("kept");
      Grant before = other.lock("b").acquire(WAIT_MAX);
      before.close();
      transaction.change(
          "UPDATE holdfast_locks SET name = ? WHERE name = ?", bytes("a"), bytes("b"));

      // when
      giveUpWaitingFor(one, "a");
      awaitTakenBack(one);
      transaction.rollBack();

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
        OtherTransaction transaction = OtherTransaction.at(uri())) {
      // given
      Grant keeps = one.hold("kept");
      Grant grant = holder.lock("a").acquire(WAIT_MAX);
      transaction.change(LOCK, bytes("a"));

      // when
      giveUpWaitingFor(one, "a");
      transaction.rollBack();
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
        OtherTransaction transaction = OtherTransaction.at(uri())) {
      // given
      Grant grant = one.lock("a").acquire(WAIT_MAX);
      transaction.change(LOCK, bytes("a"));

      // when
      ReleaseOutcome outcome = grant.release();
      transaction.rollBack();

      // then
      assertThat(outcome).isEqualTo(ReleaseOutcome.PENDING);
      assertNothingLeft(other, "a", grant);
    }
  }

  @Test
  default void aRenewalThatIsHeldUpForLessThanTheGraceTimeKeepsTheLock() throws SQLException {
    try (LockClient one = builder().grace(WAIT_MAX).connect(uri());
        LockClient other = client();
        OtherTransaction transaction = OtherTransaction.at(uri())) {
      // given
      Grant grant = one.lock("a").acquire(WAIT_MAX);
      transaction.change("UPDATE holdfast_sessions SET renewed = renewed");
      await().atMost(WAIT_MAX).until(() -> !grant.isHeld());

      // when
      transaction.rollBack();

      // then
      grant.check();
      assertThat(other.lock("a").tryAcquire()).isEmpty();
      assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
    }
  }

  /** Its renewals arrive late and prolong a session in which nobody believes any more. */
  @Test
  default void aRenewalThatIsHeldUpForLongerLosesTheLockToTheNextWaiter() {
    await().atMost(WAIT_MAX).pollInSameThread().until(this::isLostToTheNextWaiter);
  }

  /** Not if the machine stood still, and the lock was lost before a renewal was held up. */
  private boolean isLostToTheNextWaiter() throws SQLException {
    try (LockClient one = builder().grace(Duration.ZERO).connect(uri());
        LockClient other = client();
        OtherTransaction transaction = OtherTransaction.at(uri())) {
      // given
      Grant grant = one.lock("a").acquire(WAIT_MAX);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock("a").acquire(WAIT_MAX));
      await()
          .atMost(WAIT_MAX)
          .until(() -> !other.find("a").orElseThrow().waiters().isEmpty() || !grant.isHeld());
      if (!grant.isHeld()) {
        return false;
      }
      String session = one.health().sessions().get(0).id().value();
      transaction.change("UPDATE holdfast_sessions SET renewed = renewed WHERE id = ?", session);
      if (!grant.isHeld()) {
        return false;
      }
      await().atMost(WAIT_MAX).until(() -> !grant.isHeld());

      // when
      transaction.rollBack();

      // then
      assertThatThrownBy(grant::check).isInstanceOf(LockLostException.class);
      try (Grant next = waits.join()) {
        assertThat(next.token()).isGreaterThan(grant.token());
      }
      return true;
    }
  }
}
