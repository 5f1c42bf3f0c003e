package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Deadline;
import io.holdfast.testing.zookeeper.ZooServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a connection that this library makes itself tells of its session. */
@Tag("server")
class ZooOwnConnectionTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  private static ZooServer server;

  @BeforeAll
  static void start() {
    server = ZooServer.launch();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Connector connector() {
    return new Connector(ZookeeperUri.parse("zookeeper://" + server.address()), "here");
  }

  /** The servers may say so before they break the connection. */
  @Test
  void onlyWhatBelongsToASessionIsOverWhenThatHasExpired() {
    OwnConnection forSession = OwnConnection.forNewSession(connector(), LONG);
    OwnConnection forNoSession = OwnConnection.forNoSession(connector(), LONG);

    assertThat(forSession.isExpired(forSession.connected(Deadline.in(LONG)))).isTrue();
    assertThat(forNoSession.isExpired(forNoSession.connected(Deadline.in(LONG)))).isFalse();

    forSession.disconnect();
    forNoSession.disconnect();
  }
}
