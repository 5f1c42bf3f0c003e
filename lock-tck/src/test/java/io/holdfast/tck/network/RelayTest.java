package io.holdfast.tck.network;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RelayTest {

  private static ServerSocketChannel listen() throws IOException {
    return ServerSocketChannel.open()
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @Test
  void aConnectionHalfClosedBeforeItGetsThroughEndsForTheServer() throws IOException {
    try (Selector selector = Selector.open();
        ServerSocketChannel front = listen();
        ServerSocketChannel server = listen();
        SocketChannel client = SocketChannel.open(front.getLocalAddress());
        SocketChannel accepted = front.accept();
        SocketChannel onward = SocketChannel.open()) {
      // given
      accepted.configureBlocking(false);
      onward.configureBlocking(false);
      Relay relay =
          new Relay(() -> Conditions.GOOD, new PostgresFraming(), selector, accepted, onward);

      // when
      relay.pipe(Direction.TO_SERVER).shut();
      relay.goOn(System.nanoTime());
      relay.connect(server.getLocalAddress());

      // then
      try (SocketChannel arrived = server.accept()) {
        arrived.configureBlocking(false);
        await()
            .atMost(Duration.ofSeconds(30))
            .until(
                () -> {
                  selector.select(1);
                  for (SelectionKey key : selector.selectedKeys()) {
                    relay.ready(key);
                  }
                  selector.selectedKeys().clear();
                  relay.goOn(System.nanoTime());
                  return arrived.read(ByteBuffer.allocate(1)) < 0;
                });
      }
    }
  }
}
