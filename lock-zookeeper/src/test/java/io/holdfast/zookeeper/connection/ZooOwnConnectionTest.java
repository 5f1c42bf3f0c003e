package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.tck.network.Delivery;
import io.holdfast.tck.network.Direction;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.ZookeeperFraming;
import io.holdfast.testing.zookeeper.ZooServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a connection that this library makes itself tells of its session. */
@Tag("server")
class ZooOwnConnectionTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  /** Shorter than the client library awaits an answer to a handshake. */
  private static final Duration CALL = Duration.ofSeconds(10);

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
    return connector(server.port());
  }

  private static Connector connector(int port) {
    return new Connector(ZookeeperUri.parse("zookeeper://127.0.0.1:" + port), "here");
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

  /**
   * A server that follows asks the leader about one connection of a session at a time, and forgets
   * the one that it asked about before.
   */
  @Test
  void aHandshakeThatIsNeverAnsweredIsBegunAgainWithinOneCall() {
    AtomicInteger lost = new AtomicInteger();
    OwnConnection before = OwnConnection.forNewSession(connector(), LONG);
    SessionIdentity identity = before.identity(before.connected(Deadline.in(LONG)));
    try (NetworkProxy network = NetworkProxy.to(server.port(), ZookeeperFraming::new)) {
      network.decide(
          message ->
              message.direction() == Direction.TO_CLIENT && lost.getAndIncrement() == 0
                  ? Delivery.LOSE
                  : Delivery.PASS);
      OwnConnection resumed = OwnConnection.ofSession(connector(network.port()), LONG, identity);

      assertThat(resumed.connected(Deadline.in(CALL)).getSessionId()).isEqualTo(identity.session());

      lost.set(0);
      OwnConnection forNoSession = OwnConnection.forNoSession(connector(network.port()), LONG);
      assertThat(forNoSession.connected(Deadline.in(CALL)).isDisconnected()).isFalse();

      resumed.disconnect();
      forNoSession.disconnect();
    }
    before.disconnect();
  }

  /** One call's patience is not another's. */
  @Test
  void aCallGoesOnByTheNextAttemptWhenAnotherCallHasGivenOneUp() throws Exception {
    OwnConnection before = OwnConnection.forNewSession(connector(), LONG);
    SessionIdentity identity = before.identity(before.connected(Deadline.in(LONG)));
    try (NetworkProxy network = NetworkProxy.to(server.port(), ZookeeperFraming::new)) {
      network.isolate();
      OwnConnection resumed = OwnConnection.ofSession(connector(network.port()), LONG, identity);
      CompletableFuture<ZooKeeper> patient =
          CompletableFuture.supplyAsync(() -> resumed.connected(Deadline.in(CALL.multipliedBy(3))));

      assertThatThrownBy(() -> resumed.connected(Deadline.in(CALL)))
          .isInstanceOf(BackendFailure.class);
      network.heal();

      assertThat(patient.get(LONG.toSeconds(), TimeUnit.SECONDS).getSessionId())
          .isEqualTo(identity.session());
      resumed.disconnect();
    }
    before.disconnect();
  }
}
