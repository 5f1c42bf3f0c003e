package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.tck.network.Delivery;
import io.holdfast.tck.network.Direction;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.ZookeeperFraming;
import io.holdfast.testing.zookeeper.ZooServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection that this library makes itself tells of its session. */
@Tag("server")
class ZooOwnConnectionTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  /** Shorter than the client library awaits an answer to a handshake. */
  private static final Duration CALL = Duration.ofSeconds(10);

  /** The time of a call that renews a session with the default TTL. */
  private static final Duration HEARTBEAT = Duration.ofMillis(3_750);

  private static final int HEARTBEATS_IN_TTL = 3;

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

  /** The servers are slow, but answer in the time that a call has. */
  @ParameterizedTest
  @ValueSource(longs = {2_200, 2_800, 3_500})
  void aHandshakeThatTakesMostOfACallIsWaitedForByOneOfTheNext(long millis) {
    OwnConnection before = OwnConnection.forNewSession(connector(), LONG);
    SessionIdentity identity = before.identity(before.connected(Deadline.in(LONG)));
    try (NetworkProxy network = NetworkProxy.to(server.port(), ZookeeperFraming::new)) {
      network.delay(Duration.ofMillis(millis).dividedBy(2));
      OwnConnection resumed = OwnConnection.ofSession(connector(network.port()), LONG, identity);
      OwnConnection forNoSession = OwnConnection.forNoSession(connector(network.port()), LONG);
      CompletableFuture<Boolean> other =
          CompletableFuture.supplyAsync(() -> connects(forNoSession));

      assertThat(connects(resumed)).isTrue();
      assertThat(other.join()).isTrue();

      resumed.disconnect();
      forNoSession.disconnect();
    }
    before.disconnect();
  }

  private static boolean connects(OwnConnection connection) {
    for (int call = 0; call < HEARTBEATS_IN_TTL; call++) {
      if (connects(connection, Deadline.in(HEARTBEAT))) {
        return true;
      }
    }
    return false;
  }

  private static boolean connects(OwnConnection connection, Deadline deadline) {
    try {
      return !connection.connected(deadline).isDisconnected();
    } catch (BackendFailure e) {
      assertThat(deadline.hasPassed()).isTrue();
      return false;
    }
  }

  /** A call that ends does not give up what another, which began later, still waits for. */
  @Test
  void callsThatEndOneAfterTheOtherLeaveASlowHandshakeItsTime() throws Exception {
    OwnConnection before = OwnConnection.forNewSession(connector(), LONG);
    SessionIdentity identity = before.identity(before.connected(Deadline.in(LONG)));
    ExecutorService threads = Executors.newCachedThreadPool();
    try (NetworkProxy network = NetworkProxy.to(server.port(), ZookeeperFraming::new)) {
      network.delay(Duration.ofMillis(2_800).dividedBy(2));
      OwnConnection resumed = OwnConnection.ofSession(connector(network.port()), LONG, identity);
      List<Future<Boolean>> calls = new ArrayList<>();
      for (int call = 0; call < 8; call++) {
        calls.add(threads.submit(() -> connects(resumed, Deadline.in(HEARTBEAT))));
        Thread.sleep(700);
      }

      List<Boolean> connected = new ArrayList<>();
      for (Future<Boolean> call : calls) {
        connected.add(call.get(LONG.toSeconds(), TimeUnit.SECONDS));
      }
      assertThat(connected).contains(true);

      resumed.disconnect();
    } finally {
      threads.shutdownNow();
    }
    before.disconnect();
  }

  /** What is left to a call after a slow handshake may be too short for any answer. */
  @Test
  void aConnectionThatHasJustComeAboutIsNotSilent() {
    try (NetworkProxy network = NetworkProxy.to(server.port(), ZookeeperFraming::new)) {
      network.delay(Duration.ofMillis(400));
      OwnConnection connection = OwnConnection.forNoSession(connector(network.port()), LONG);
      SingleConnectionClient client = connection.connected(Deadline.in(CALL));

      connection.silent(client, Duration.ofMillis(50).toNanos());

      assertThat(client.isDisconnected()).isFalse();
      connection.disconnect();
    }
  }

  /** What was given up neither takes the session back later nor keeps its threads. */
  @Test
  void ofAttemptsThatStayUnansweredNothingIsLeft() {
    OwnConnection before = OwnConnection.forNewSession(connector(), LONG);
    SessionIdentity identity = before.identity(before.connected(Deadline.in(LONG)));
    before.disconnect();
    try (NetworkProxy network = NetworkProxy.to(server.port(), ZookeeperFraming::new)) {
      network.isolate();
      OwnConnection resumed = OwnConnection.ofSession(connector(network.port()), LONG, identity);

      assertThat(connects(resumed, Deadline.in(HEARTBEAT))).isFalse();

      await().atMost(LONG).untilAsserted(() -> assertThat(threads(network.port())).isEmpty());
      network.heal();
      assertThat(connects(resumed, Deadline.in(HEARTBEAT))).isTrue();
      resumed.disconnect();
    }
  }

  private static List<String> threads(int port) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains("SendThread") && name.contains(":" + port))
        .toList();
  }
}
