package io.holdfast.tck.client;

import io.holdfast.ClientBuilder;
import io.holdfast.Holdfast;
import io.holdfast.tck.rules.SpiRules;
import java.time.Duration;

/** What the rules of this package share. */
public interface ClientFixture extends SpiRules {

  /** A TTL for clients whose leases shall run out. */
  Duration SHORT_TTL = Duration.ofMillis(1500);

  /** A TTL of which no test sees the end by accident. */
  Duration LONG_TTL = Duration.ofSeconds(20);

  /** The lock of most rules. */
  String NAME = LOCK.value();

  /** Returns a wait that no test sees the end of unless a rule is broken. */
  default Duration longWait() {
    return bench().store().longWait();
  }

  /** Returns a client whose sessions live long, behind faults of its own. */
  default TestClient client() {
    return client(LONG_TTL);
  }

  /** Returns a client with that TTL, behind faults of its own. */
  default TestClient client(Duration ttl) {
    return client(Holdfast.builder().defaultTtl(ttl));
  }

  /** Returns a client with those settings, behind faults of its own. */
  default TestClient client(ClientBuilder settings) {
    return bench()
        .closedWithThis(
            new TestClient(bench().connect(), settings, bench().store()::asSeenByEngine));
  }
}
