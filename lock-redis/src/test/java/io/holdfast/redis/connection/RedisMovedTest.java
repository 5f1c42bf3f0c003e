package io.holdfast.redis.connection;

import static io.holdfast.redis.RedisNamespace.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendOptions.RestartGuard;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** Nodes of a cluster that name others. */
class RedisMovedTest {

  /** As with {@code cluster-preferred-endpoint-type unknown-endpoint}. */
  @Test
  void aNodeWithoutAHostIsAtThatOfTheNodeThatWasAsked() throws UnknownHostException {
    InetAddress there = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
    try (FakeServer owner =
            FakeServer.answeringAt(
                there,
                "*5",
                "$5",
                "7.0.0",
                "$6",
                "master",
                "$10",
                "noeviction",
                "$1",
                "0",
                "$1",
                "1");
        FakeServer asked = FakeServer.answeringAt(there, "-MOVED 1234 :" + owner.port());
        ServerConnection connection =
            new Connector(
                    RedisUri.of("redis-cluster://" + asked.address()),
                    Script.ATTACH,
                    RestartGuard.ON)
                .open(0, 0, soon())) {
      assertThat(connection.hasSent()).isTrue();
    }
  }
}
