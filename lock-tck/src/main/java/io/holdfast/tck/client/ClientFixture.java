package io.holdfast.tck.client;

import static org.awaitility.Awaitility.await;

import io.holdfast.ClientBuilder;
import io.holdfast.Holdfast;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.SpiRules;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Shared by the rules of this package. */
public interface ClientFixture extends SpiRules {

  /** A TTL for clients whose leases shall run out, and that outlasts a slow write of the store. */
  Duration SHORT_TTL = Duration.ofSeconds(4);

  /** Longer, for leases of which more is asked than that they run out in the end. */
  Duration AMPLE_TTL = Duration.ofSeconds(6);

  /** Heartbeats that can be waited for, and of which a slow machine may miss some. */
  Duration OFTEN = Duration.ofSeconds(1);

  /** A TTL of which no test sees the end by accident. */
  Duration LONG_TTL = Duration.ofSeconds(20);

  /** A wait whose end is waited for. By then also a slow store has answered a call. */
  Duration SHORT_WAIT = Duration.ofSeconds(2);

  /** The lock of most rules. */
  String NAME = LOCK.value();

  /** Returns a wait that no test sees the end of unless a rule is broken. */
  default Duration longWait() {
    return fixture().store().longWait();
  }

  /** Waits until a client has not called a verb for so long. */
  default void untilQuiet(TestClient client, Verb verb, Duration quiet) {
    AtomicLong last = new AtomicLong(-1);
    await("no %s for %s".formatted(verb, quiet))
        .pollInterval(quiet)
        .atMost(longWait())
        .until(
            () -> {
              long now = client.count(verb);
              return last.getAndSet(now) == now;
            });
  }

  /** Returns a client whose sessions live long, behind faults of its own. */
  default TestClient client() {
    return client(LONG_TTL);
  }

  /** Returns a client whose sessions live long and whose heartbeats can be waited for. */
  default TestClient steadyClient() {
    return client(Holdfast.builder().defaultTtl(LONG_TTL).heartbeat(OFTEN));
  }

  /** Returns a client with that TTL, behind faults of its own. */
  default TestClient client(Duration ttl) {
    return client(Holdfast.builder().defaultTtl(ttl));
  }

  /** Returns a client with those settings, behind faults of its own. */
  default TestClient client(ClientBuilder settings) {
    return fixture()
        .closedWithThis(
            new TestClient(
                fixture().connect(),
                settings,
                fixture().store()::asSeenByEngine,
                fixture().store()::asSeenByApplication));
  }
}
