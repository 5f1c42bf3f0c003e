package io.holdfast.redis.connection;

import static io.holdfast.redis.RedisNamespace.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.redis.connection.AddressOrder.Place;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import io.holdfast.testing.redis.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Of the addresses of one name, one leads to the server. */
class RedisAddressOrderTest extends RedisServerTestBase {

  private static final String HOST = "several.example";

  private static final Duration SHORT = Duration.ofMillis(500);

  private final List<InetAddress> addresses = new ArrayList<>();

  private static InetAddress loopback(int last) throws UnknownHostException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
  }

  private List<InetAddress> found(String host, Deadline deadline) {
    try {
      return host.equals(HOST) ? List.copyOf(addresses) : List.of(InetAddress.getByName(host));
    } catch (UnknownHostException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Connector connector(String uri, int port) {
    return new Connector(
        RedisUri.of(uri.formatted(HOST, port)), Script.ATTACH, RestartGuard.ON, this::found);
  }

  /** The other takes connections, and never answers. */
  @Test
  void theOneThatAnsweredLastIsTriedFirst() throws IOException {
    Connector connector = connector("redis://%s:%d", server.port());
    try (ServerSocket silent = Listeners.listen(loopback(6), server.port())) {
      assertThat(silent.isBound()).isTrue();
      addresses.add(loopback(1));
      connector.open(0, 0, soon()).close();

      addresses.add(0, loopback(6));

      connector.open(0, 0, soon()).close();
      connector.connectAnywhere(soon()).close();
    }
  }

  /** As of a process that is stopped, or a proxy without a server behind it. */
  private void isTriedLast(BiConsumer<Connector, Deadline> whatever) throws IOException {
    addresses.addAll(List.of(loopback(6), loopback(1)));
    Connector connector = connector("redis://%s:%d", server.port());
    try (MovingProxy proxy = new MovingProxy(loopback(6), server.port(), server.port());
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      connector.open(0, 0, soon()).close();
      proxy.moveTo(silent.getLocalPort());

      assertThatThrownBy(() -> whatever.accept(connector, Deadline.in(SHORT)))
          .isInstanceOf(BackendFailure.class);

      connector.open(0, 0, soon()).close();
      connector.connectAnywhere(soon()).close();
    }
  }

  @Test
  void oneThatHasBecomeSilentIsTriedLast() throws IOException {
    isTriedLast((connector, deadline) -> connector.open(0, 0, deadline).close());
  }

  @Test
  void oneThatHasBecomeSilentToASubscriptionIsTriedLast() throws IOException {
    isTriedLast((connector, deadline) -> connector.connectAnywhere(deadline).close());
  }

  @Test
  void oneThatLeadsToAReplicaIsTriedLast() throws IOException {
    addresses.addAll(List.of(loopback(6), loopback(1)));
    Connector connector = connector("redis://%s:%d", server.port());
    try (MovingProxy proxy = new MovingProxy(loopback(6), server.port(), server.port());
        RedisServer replica = RedisServer.replicaOf(server)) {
      connector.open(0, 0, soon()).close();
      proxy.moveTo(replica.port());

      assertThatThrownBy(() -> connector.open(0, 0, soon()))
          .isInstanceOf(BackendUnusableException.class);

      connector.open(0, 0, soon()).close();
    }
  }

  /** It may be cut off from those that know the new master. */
  @Test
  void oneOfASentinelWhoseMasterIsOfNoUseIsTriedLast() throws IOException {
    addresses.addAll(List.of(loopback(6), loopback(1)));
    try (RedisServer replica = RedisServer.replicaOf(server);
        FakeSentinel good = new FakeSentinel(server);
        FakeSentinel stale = new FakeSentinel(replica);
        MovingProxy proxy = new MovingProxy(loopback(6), good.port(), good.port())) {
      Connector connector = connector("redis-sentinel://%s:%d/main", good.port());
      connector.open(0, 0, soon()).close();
      proxy.moveTo(stale.port());

      assertThatThrownBy(() -> connector.open(0, 0, soon())).isInstanceOf(BackendFailure.class);

      connector.open(0, 0, soon()).close();
    }
  }

  @Test
  void oneThatTheNameHasNoMoreIsNotTried() throws IOException {
    AddressOrder order = new AddressOrder((host, deadline) -> List.copyOf(addresses));
    addresses.addAll(List.of(loopback(1), loopback(2), loopback(3)));
    order.putFirst(new Place(HOST, loopback(3)));
    assertThat(order.addresses(HOST, soon()))
        .containsExactly(loopback(3), loopback(1), loopback(2));
    assertThat(order.addresses("another.example", soon())).isEqualTo(addresses);

    addresses.remove(loopback(3));

    assertThat(order.addresses(HOST, soon())).isEqualTo(addresses);
  }

  @Test
  void theOnesThatLedToNothingComeLastAndTheLatestOfThemAfterTheOthers() throws IOException {
    AddressOrder order = new AddressOrder((host, deadline) -> List.copyOf(addresses));
    addresses.addAll(List.of(loopback(1), loopback(2), loopback(3)));
    order.putFirst(new Place(HOST, loopback(2)));
    order.putLast(new Place(HOST, loopback(2)));
    order.putLast(new Place(HOST, loopback(1)));
    assertThat(order.addresses(HOST, soon()))
        .containsExactly(loopback(3), loopback(2), loopback(1));

    order.putFirst(new Place(HOST, loopback(1)));

    assertThat(order.addresses(HOST, soon()))
        .containsExactly(loopback(1), loopback(3), loopback(2));
  }
}
