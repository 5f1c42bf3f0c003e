package io.holdfast.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.spi.support.StoreUri;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class MemberVersionsTest {

  private static Set<EtcdVersion> ask(String members) {
    StoreUri uri = EtcdUri.parse("etcd://" + members).cluster();
    try (ClusterConnection cluster =
        new ClusterConnection(
            ReplaceableClient.owned(() -> ClientFactory.make(uri)), "etcd", () -> {})) {
      return MemberVersions.ask(cluster, uri, StoreFixture.soon());
    }
  }

  @Test
  void aMemberTellsItsVersionAndOneThatIsAwayIsLeftOut() {
    try (EtcdServer server = EtcdServer.launch()) {
      // A slow machine may not answer within the second for which a client waits.
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(ask(server.address() + ",127.0.0.1:1"))
                      .singleElement()
                      .extracting(EtcdVersion::major)
                      .isEqualTo(3));
    }
  }
}
