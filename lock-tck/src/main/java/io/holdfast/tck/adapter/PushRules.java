package io.holdfast.tck.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Hand-over by hints that come over a connection of their own, which may break. */
@Topic(value = "PSH", level = Level.CORE, clause = "LockBackend.listen")
public interface PushRules {

  /** How long anything may take on a slow machine. */
  Duration TIMEOUT = Duration.ofSeconds(60);

  /** Its heartbeats are so rare that none of them explains what happens in a test. */
  Duration LONG_TTL = Duration.ofSeconds(60);

  /** With heartbeats soon enough to wait for some. */
  Duration SHORT_TTL = Duration.ofSeconds(3);

  /** Returns a new connection to the store, which is empty when a test begins. */
  LockBackend backend();

  /** Returns how many connections for hints the server has. */
  int listeners();

  /** Breaks all connections for hints at the server, for which they may be made again. */
  void breakListeners();

  /** Returns a client with a connection of its own. */
  default TestClient client(Duration ttl) {
    return new TestClient(backend(), ttl, UnaryOperator.identity());
  }

  /** Has one client wait for the lock that the other holds, and returns when it is in the queue. */
  default Waiting waiting(TestClient waiter, TestClient holder) {
    Waiting waits = waiter.waitFor("a", TIMEOUT);
    await()
        .atMost(TIMEOUT)
        .until(() -> holder.client().find("a").orElseThrow().waiters().size() == 1);
    return waits;
  }

  /** Returns when the server has one connection for hints. */
  default void awaitListening() {
    await().atMost(TIMEOUT).until(() -> listeners() == 1);
  }

  private static void awaitHintsAskedFor(TestClient waiter) {
    await().atMost(TIMEOUT).until(() -> waiter.hasAnswerOf(Verb.LISTEN));
  }

  @Test
  @Rule("HF-PSH-01")
  @Proves(Claim.PUSH)
  default void aHandOverNeedsNoHeartbeat() {
    try (TestClient holder = client(LONG_TTL);
        TestClient waiter = client(LONG_TTL)) {
      Grant held = holder.hold("a");
      Waiting waits = waiting(waiter, holder);
      awaitHintsAskedFor(waiter);
      long renewals = waiter.count(Verb.RENEW);
      long looks = waiter.count(Verb.LOOK);

      held.close();

      waits.grant().check();
      assertThat(waiter.count(Verb.RENEW)).isEqualTo(renewals);
      assertThat(waiter.count(Verb.LOOK) - looks).isLessThanOrEqualTo(3);
    }
  }

  @Test
  @Rule("HF-PSH-02")
  default void whoseHintsBreakOffPollsAndListensAgain() {
    try (TestClient holder = client(LONG_TTL);
        TestClient waiter = client(SHORT_TTL)) {
      Grant held = holder.hold("a");
      Waiting waits = waiting(waiter, holder);
      awaitListening();

      breakListeners();

      await().atMost(TIMEOUT).until(() -> waiter.count(Verb.LISTEN) >= 2);
      awaitListening();
      held.close();
      waits.grant().check();
    }
  }

  /** With heartbeats as rare as here, only polls can have found it. */
  @Test
  @Rule("HF-PSH-03")
  default void whatIsHandedOverWhileNobodyListensIsFound() {
    try (TestClient holder = client(LONG_TTL);
        TestClient waiter = client(LONG_TTL)) {
      Grant held = holder.hold("a");
      Waiting waits = waiting(waiter, holder);
      awaitHintsAskedFor(waiter);
      long renewals = waiter.count(Verb.RENEW);

      breakListeners();
      held.close();

      waits.grant().check();
      assertThat(waiter.count(Verb.RENEW)).isEqualTo(renewals);
    }
  }
}
