package io.holdfast.mongo.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.mongo.MongoLockProvider;
import io.holdfast.mongo.imitation.ClockedServer;
import io.holdfast.mongo.imitation.StrictProxy;
import io.holdfast.mongo.imitation.TestZone;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Deployments whose hosts and options DNS returns. */
class MongoSrvTest {

  /** Without TLS, which is the driver's default here and which the imitation does not have. */
  private static final String URI = "mongodb+srv://locks.holdfast.test/srv?tls=false";

  private static ClockedServer server;
  private static StrictProxy proxy;

  @BeforeAll
  static void start() throws IOException {
    server = ClockedServer.start();
    proxy = StrictProxy.before(server.port());
  }

  @AfterAll
  static void stop() throws IOException {
    proxy.close();
    server.close();
  }

  @AfterEach
  void forget() {
    TestZone.clear();
  }

  @Test
  void theHostsAreFoundByDns() {
    TestZone.add(
        "_mongodb._tcp.locks.holdfast.test",
        "SRV",
        "0 0 %d db1.holdfast.test.".formatted(proxy.port()));

    try (LockClient client = Holdfast.connect(URI);
        LockClient direct = Holdfast.connect(proxy.uri("srv"))) {
      assertThat(client.lock("a").acquire().isHeld()).isTrue();
      assertThat(direct.lock("a").tryAcquire()).isEmpty();
      assertThat(client.backend()).startsWith("mongodb+srv://");
    }
    proxy.requireNoFaults();
  }

  @Test
  void hostsThatDnsDoesNotKnowAreToldSo() {
    Deadline deadline = Deadline.in(Duration.ofSeconds(2));

    assertThatThrownBy(
            () -> new MongoLockProvider().connect(URI, BackendOptions.DEFAULTS, deadline))
        .isInstanceOf(BackendFailure.class)
        .hasMessageContaining("DNS");
  }
}
