package io.holdfast.redis.connection;

import static io.holdfast.redis.RedisNamespace.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.redis.connection.ConnectionPool.Size;
import io.holdfast.redis.connection.RedisClient.CallKind;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.tck.fixture.ConcurrentCalls;
import io.holdfast.tck.network.Direction;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.RespFraming;
import java.net.SocketException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A verb's connection that was idle for long is tested before it is used. */
class RedisIdleConnectionTest extends RedisServerTestBase {

  private static final Pattern PINGS = Pattern.compile("cmdstat_ping:calls=([0-9]+)");

  private static final Duration ALWAYS = Duration.ZERO;
  private static final Duration AFTER_LONG = Duration.ofDays(1);

  private NetworkProxy network;

  @BeforeEach
  void startNetwork() {
    network = NetworkProxy.to(server.port(), RespFraming::new);
  }

  @AfterEach
  void stopNetwork() {
    network.close();
  }

  private OwnClient client(Duration validateAfter) {
    return new OwnClient(
        RedisUri.of(namespace.uri(network.port())), Script.ATTACH, RestartGuard.OFF, validateAfter);
  }

  private static void call(RedisClient client) {
    assertThat(client.run(Script.SETTINGS, CallKind.VERB, 0, List.of(), soon())).isNull();
  }

  private long pings() {
    return PINGS
        .matcher(server.command("INFO", "commandstats"))
        .results()
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }

  /** As a firewall does: it forgets a connection that is idle, and lets new ones pass. */
  @Test
  void aCallGoesOverANewConnectionWhereAnIdleOneHasBecomeSilent() {
    try (OwnClient client = client(ALWAYS)) {
      call(client);
      network.swallow(Direction.TO_SERVER);
      network.swallow(Direction.TO_CLIENT);

      call(client);
    }
  }

  @Test
  void aConnectionThatAnswersIsUsedAgain() {
    try (OwnClient client = client(ALWAYS)) {
      call(client);
      long before = pings();

      call(client);

      assertThat(pings() - before).isEqualTo(1);
      assertThat(network.connections()).isEqualTo(1);
    }
  }

  @Test
  void aConnectionThatWasHeardLatelyIsNotAsked() {
    try (OwnClient client = client(AFTER_LONG)) {
      call(client);
      long before = pings();

      call(client);

      assertThat(pings() - before).isZero();
    }
  }

  private void callsAtOnce(OwnClient client) {
    network.delay(Duration.ofMillis(200)); // Each is under way until all others are.
    Callable<Boolean> call =
        () -> {
          call(client);
          return true;
        };
    assertThat(ConcurrentCalls.call(Collections.nCopies(16, call))).containsOnly(true);
    network.delay(Duration.ZERO);
  }

  @Test
  void manyCallsAtOnceHaveAConnectionEach() {
    try (OwnClient client = client(AFTER_LONG)) {
      callsAtOnce(client);
      client.run(Script.SETTINGS, CallKind.HEARTBEAT, 0, List.of(), soon());

      assertThat(network.connections()).isEqualTo(16 + 1);
    }
  }

  @Test
  void whereNoneOfThemIsNeededForLongFourAreKept() {
    try (OwnClient client = client(Duration.ofMillis(500))) {
      callsAtOnce(client);

      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                client.run(Script.SETTINGS, CallKind.HEARTBEAT, 0, List.of(), soon());
                assertThat(network.connections()).isEqualTo(4 + 1);
              });
      call(client);
    }
  }

  private ConnectionPool pool() {
    return new ConnectionPool(
        new Connector(RedisUri.of(namespace.uri(network.port())), Script.ATTACH, RestartGuard.OFF),
        0,
        new AtomicLong(),
        new Size(16, 4),
        Optional.of(AFTER_LONG));
  }

  private static void breakOne(ConnectionPool pool, Exception cause) {
    assertThatThrownBy(
            () ->
                pool.call(
                    soon(),
                    connection -> {
                      throw new JedisConnectionException(cause);
                    }))
        .isInstanceOf(BackendFailure.class);
  }

  private static ServerConnection used(ConnectionPool pool) {
    return pool.call(soon(), connection -> connection);
  }

  /** As a virtual thread's socket is closed: that says nothing of the server. */
  @Test
  void aConnectionThatAnInterruptHasClosedTakesNoOtherWithIt() {
    try (ConnectionPool pool = pool()) {
      ServerConnection kept = pool.call(soon(), outer -> used(pool));
      Thread.currentThread().interrupt();
      breakOne(pool, new SocketException("Closed by interrupt"));

      assertThat(Thread.interrupted()).isTrue();
      assertThat(used(pool)).isSameAs(kept);
    }
  }

  @Test
  void aConnectionThatBreaksTakesTheOthersWithItAsTheServerMayBeAnother() {
    try (ConnectionPool pool = pool()) {
      ServerConnection kept = pool.call(soon(), outer -> used(pool));

      breakOne(pool, new SocketException("Connection reset"));

      assertThat(used(pool)).isNotSameAs(kept);
    }
  }
}
