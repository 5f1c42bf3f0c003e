package io.holdfast.tck.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.spi.Deadline;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A URI names two addresses, and one of them takes connections and answers nothing, as a machine
 * that stands still does. A client that tries that one first each time never comes to the other.
 */
@Topic(value = "ADR", level = Level.NETWORK, clause = "docs/guarantees.md, Nobody is stranded")
public interface SilentAddressRules {

  /** How long anything may take on a slow machine. */
  Duration TIMEOUT = Duration.ofSeconds(90);

  /** So many that some would begin with the silent address, if chance decided. */
  int CLIENTS = 8;

  /** More are made if not one of them has begun with the address that is to fall silent. */
  int CLIENTS_MAX = 64;

  /** Returns where the server listens on 127.0.0.1. */
  int serverPort();

  /** Returns where the locks are, which no other test uses, by way of these addresses. */
  String uri(String addresses);

  /** Returns a TTL that leaves a client the time to see that an address is silent. */
  default Duration ttl() {
    return Duration.ofSeconds(30);
  }

  @Test
  @Rule("HF-ADR-01")
  default void aSessionWhoseAddressFallsSilentGoesOnByTheOther() {
    List<LockClient> clients = new ArrayList<>();
    try (TwoAddresses addresses = new TwoAddresses(serverPort())) {
      // given
      List<Grant> held = new ArrayList<>();
      for (int client = 0; isWanted(client, addresses); client++) {
        clients.add(connect(addresses));
        held.add(clients.get(client).lock("lock" + client).acquire(TIMEOUT));
      }
      assertThat(addresses.first.connections()).as("connections by the first").isPositive();

      // when
      addresses.first.isolate();

      // then; a lock held for longer than a TTL was renewed
      Deadline over = Deadline.in(ttl());
      await()
          .atMost(TIMEOUT)
          .failFast("a lease ran out", () -> !held.stream().allMatch(Grant::isHeld))
          .until(over::hasPassed);
    } finally {
      clients.parallelStream().forEach(LockClient::close);
    }
  }

  @Test
  @Rule("HF-ADR-02")
  default void aClientConnectsThoughOneAddressIsSilent() {
    List<LockClient> clients = new ArrayList<>();
    try (TwoAddresses addresses = new TwoAddresses(serverPort())) {
      addresses.first.isolate();

      for (int client = 0; client < 2; client++) {
        clients.add(connect(addresses));
        assertThat(clients.get(client).lock("lock" + client).acquire(TIMEOUT).isHeld()).isTrue();
      }
    } finally {
      clients.parallelStream().forEach(LockClient::close);
    }
  }

  private static boolean isWanted(int client, TwoAddresses addresses) {
    return client < CLIENTS || (client < CLIENTS_MAX && addresses.first.connections() == 0);
  }

  private LockClient connect(TwoAddresses addresses) {
    return Holdfast.builder().defaultTtl(ttl()).connect(uri(addresses.toString()));
  }

  /** Two ways to one server. */
  final class TwoAddresses implements AutoCloseable {
    private final NetworkProxy first;
    private final NetworkProxy second;

    private TwoAddresses(int serverPort) {
      this.first = NetworkProxy.to(serverPort, Framing::none);
      this.second = NetworkProxy.to(serverPort, Framing::none);
    }

    @Override
    public String toString() {
      return "127.0.0.1:%s,127.0.0.1:%s".formatted(first.port(), second.port());
    }

    @Override
    public void close() {
      first.close();
      second.close();
    }
  }
}
