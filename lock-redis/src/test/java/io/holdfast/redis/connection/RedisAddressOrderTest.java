package io.holdfast.redis.connection;

import static io.holdfast.redis.RedisNamespace.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendOptions.RestartGuard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of the addresses of one name, one leads to the server. */
class RedisAddressOrderTest extends RedisServerTestBase {

  private static final String HOST = "several.example";

  private final List<InetAddress> addresses = new ArrayList<>();

  private static InetAddress loopback(int last) throws UnknownHostException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
  }

  /** The other takes connections, and never answers. */
  @Test
  void theOneThatAnsweredLastIsTriedFirst() throws IOException {
    Connector connector =
        new Connector(
            RedisUri.of("redis://%s:%d".formatted(HOST, server.port())),
            Script.ATTACH,
            RestartGuard.ON,
            (host, deadline) -> List.copyOf(addresses));
    try (ServerSocket silent = new ServerSocket(server.port(), 50, loopback(6))) {
      assertThat(silent.isBound()).isTrue();
      addresses.add(loopback(1));
      connector.open(0, 0, soon()).close();

      addresses.add(0, loopback(6));

      connector.open(0, 0, soon()).close();
      connector.connectAnywhere(soon()).close();
    }
  }

  @Test
  void oneThatTheNameHasNoMoreIsNotTried() throws IOException {
    AddressOrder order = new AddressOrder((host, deadline) -> List.copyOf(addresses));
    addresses.addAll(List.of(loopback(1), loopback(2), loopback(3)));
    order.putFirst(HOST, loopback(3));
    assertThat(order.addresses(HOST, soon()))
        .containsExactly(loopback(3), loopback(1), loopback(2));
    assertThat(order.addresses("another.example", soon())).isEqualTo(addresses);

    addresses.remove(loopback(3));

    assertThat(order.addresses(HOST, soon())).isEqualTo(addresses);
  }
}
