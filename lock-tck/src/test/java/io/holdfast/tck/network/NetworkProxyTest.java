package io.holdfast.tck.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.tck.network.Framing.Part;
import io.holdfast.tck.network.Framing.Piece;
import io.holdfast.tck.server.ServerProcess;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NetworkProxyTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Long enough to be sure that nothing comes, on a machine with time. */
  private static final int SILENCE_MILLIS = 300;

  private final List<AutoCloseable> open = new ArrayList<>();
  private EchoServer server;
  private NetworkProxy proxy;

  @BeforeEach
  void start() throws IOException {
    server = new EchoServer();
    open.add(server);
    proxy = NetworkProxy.to(server.port(), () -> NetworkProxyTest::line);
    open.add(proxy);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /** Every line is a request or an answer. */
  private static Optional<Piece> line(Direction direction, ByteBuffer sent) {
    for (int i = 0; i < sent.remaining(); i++) {
      if (sent.get(sent.position() + i) == '\n') {
        return Optional.of(new Piece(i + 1, Part.FIRST));
      }
    }
    return Optional.empty();
  }

  /** A client of the server behind the proxy. */
  private final class Client implements AutoCloseable {
    private final Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());

    Client() throws IOException {
      open.add(0, this);
      socket.setSoTimeout((int) TIMEOUT.toMillis());
    }

    void send(String line) throws IOException {
      socket.getOutputStream().write((line + '\n').getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Returns the next line, empty at the end. */
    Optional<String> read() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int c = socket.getInputStream().read(); c != '\n'; c = socket.getInputStream().read()) {
        if (c < 0) {
          return Optional.empty();
        }
        line.append((char) c);
      }
      return Optional.of(line.toString());
    }

    String ask(String line) throws IOException {
      send(line);
      return read().orElseThrow();
    }

    void requireSilence() throws IOException {
      socket.setSoTimeout(SILENCE_MILLIS);
      assertThatThrownBy(this::read).isInstanceOf(SocketTimeoutException.class);
      socket.setSoTimeout((int) TIMEOUT.toMillis());
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private void awaitReceived(String... lines) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(server.received()).containsExactly(lines));
  }

  @Test
  void passesOnWhatIsSentEitherWayAndItsEnd() throws IOException {
    Client client = new Client();
    assertThat(client.ask("a")).isEqualTo("a 1");
    assertThat(client.ask("x".repeat(300_000))).hasSize(300_002);
    assertThat(proxy.connections()).isEqualTo(1);

    client.socket.shutdownOutput();

    assertThat(client.read()).isEmpty();
    assertThat(server.received()).last().isEqualTo("(end)");
    await().atMost(TIMEOUT).until(() -> proxy.connections() == 0);
  }

  @Test
  void aConnectionThatIsCutIsResetAtBothEndsAndAnotherIsNot() throws IOException {
    Client client = new Client();
    client.ask("a");

    proxy.cut();

    assertThatThrownBy(client::read).isInstanceOf(SocketException.class);
    awaitReceived("a", "(reset)");
    assertThat(new Client().ask("b")).isEqualTo("b 1");
  }

  @Test
  void whileConnectionsAreRefusedThoseThereAreStayAndThePortIsKept() throws IOException {
    Client client = new Client();
    client.ask("a");

    proxy.refuse();

    assertThatThrownBy(Client::new).isInstanceOf(ConnectException.class);
    assertThat(client.ask("b")).isEqualTo("b 2");
    proxy.heal();
    assertThat(new Client().ask("c")).isEqualTo("c 1");
  }

  /** As a process that is just being started does: it has what its parent listened with. */
  @Test
  void aPortOnWhichAnotherStillListensIsWaitedFor() throws Exception {
    proxy.refuse();
    ServerSocket other = new ServerSocket();
    open.add(other);
    other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()));

    CompletableFuture<Void> healed = CompletableFuture.runAsync(proxy::heal);
    assertThatThrownBy(() -> healed.get(SILENCE_MILLIS, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    other.close();

    assertThat(healed).succeedsWithin(TIMEOUT);
    assertThat(new Client().ask("a")).isEqualTo("a 1");
  }

  @Test
  void aServerThatIsDownResetsWhoeverConnects() throws IOException {
    proxy = NetworkProxy.to(ServerProcess.freePort(), Framing::none);
    open.add(proxy);

    Client client = new Client();

    assertThatThrownBy(client::read).isInstanceOf(SocketException.class);
  }

  @Test
  void aHalfClosedConnectionEndsForOneSideAlone() throws IOException {
    Client client = new Client();
    client.ask("a");

    proxy.halfClose(Direction.TO_CLIENT);

    assertThat(client.read()).isEmpty();
    client.send("b");
    awaitReceived("a", "b");
  }

  @Test
  void aConnectionHalfClosedTheOtherWayEndsForTheServer() throws IOException {
    Client client = new Client();
    client.ask("a");

    proxy.halfClose(Direction.TO_SERVER);

    awaitReceived("a", "(end)");
    assertThat(client.read()).isEmpty();
  }

  @Test
  void whatIsSwallowedNeverArrivesAndTheConnectionStays() throws IOException {
    Client client = new Client();
    client.ask("a");

    proxy.swallow(Direction.TO_CLIENT);
    client.send("b");
    awaitReceived("a", "b"); // Else it might be swallowed too.
    client.requireSilence();
    proxy.swallow(Direction.TO_SERVER);
    client.send("c");
    client.requireSilence();
    proxy.heal();
    client.send("d");
    client.requireSilence();

    awaitReceived("a", "b");
    assertThat(new Client().ask("e")).isEqualTo("e 1");
  }

  @Test
  void notEvenTheEndArrivesIfItIsSwallowed() throws IOException {
    Client client = new Client();
    client.ask("a");
    proxy.swallow(Direction.TO_SERVER);

    client.socket.setSoLinger(true, 0);
    client.close();
    assertThat(new Client().ask("b")).isEqualTo("b 1");

    assertThat(server.received()).containsExactly("a", "b");
  }

  @Test
  void inIsolationNewConnectionsAreSilentTooUntilItEnds() throws IOException {
    Client client = new Client();
    client.ask("a");

    proxy.isolate();

    client.send("b");
    Client another = new Client();
    another.send("c");
    another.requireSilence();
    client.requireSilence();
    // One that arrives only when all is well again is not silent.
    await().atMost(TIMEOUT).until(() -> proxy.connections() == 2);
    proxy.heal();
    assertThat(new Client().ask("d")).isEqualTo("d 1");
    assertThat(server.received()).containsExactly("a", "d");
  }

  @Test
  void whatIsDelayedArrivesInItsOrderAlsoWhenItsSenderIsGone() throws IOException {
    Duration delay = Duration.ofMillis(200);
    proxy.delay(delay);
    Client client = new Client();
    long start = System.nanoTime();

    assertThat(client.ask("a")).isEqualTo("a 1");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(delay.multipliedBy(2));
    client.send("b");
    client.send("c");
    client.close();

    awaitReceived("a", "b", "c", "(end)");
  }

  private static Delivery ifRequest(Message message, String text, Delivery delivery) {
    return message.isRequest() && message.text().startsWith(text) ? delivery : Delivery.PASS;
  }

  @Test
  void aRequestThatIsLostIsTheOnlyOne() throws IOException {
    proxy.decide(message -> ifRequest(message, "b", Delivery.LOSE));
    Client client = new Client();

    client.send("a");
    client.send("b");
    client.send("c");

    assertThat(client.read()).contains("a 1");
    assertThat(client.read()).contains("c 2");
    assertThat(server.received()).containsExactly("a", "c");
  }

  @Test
  void anAnswerThatIsLostIsTheOnlyOne() throws IOException {
    proxy.decide(
        message ->
            message.isAnswer() && message.text().startsWith("b") ? Delivery.LOSE : Delivery.PASS);
    Client client = new Client();

    client.send("a");
    client.send("b");
    client.send("c");

    assertThat(client.read()).contains("a 1");
    assertThat(client.read()).contains("c 3");
    assertThat(server.received()).containsExactly("a", "b", "c");
  }

  @Test
  void aRequestThatIsDoubledArrivesTwiceAndIsAnsweredOnce() throws IOException {
    proxy.decide(message -> ifRequest(message, "b", Delivery.DOUBLE));
    Client client = new Client();

    client.send("a");
    client.send("b");
    client.send("c");

    assertThat(client.read()).contains("a 1");
    assertThat(client.read()).contains("b 2");
    assertThat(client.read()).contains("c 4");
    assertThat(server.received()).containsExactly("a", "b", "b", "c");
  }

  /** What the client does next would else overtake the copy, as on no connection of TCP. */
  @Test
  void theAnswerToADoubledRequestWaitsForThatToItsCopy() throws IOException {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      proxy = NetworkProxy.to(listening.getLocalPort(), () -> NetworkProxyTest::line);
      open.add(0, proxy);
      proxy.decide(message -> ifRequest(message, "a", Delivery.DOUBLE));
      Client client = new Client();
      client.send("a");
      try (Socket slow = listening.accept()) {
        assertThat(slow.getInputStream().readNBytes(4)).asString().isEqualTo("a\na\n");

        slow.getOutputStream().write("first\n".getBytes(StandardCharsets.ISO_8859_1));
        client.requireSilence();

        slow.getOutputStream().write("copy\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(client.read()).contains("first");
        client.requireSilence();
      }
    }
  }

  /** Lines again, but as if each could be understood only after all that came before. */
  private static final class Dependent implements Framing {
    @Override
    public Optional<Piece> first(Direction direction, ByteBuffer sent) {
      return line(direction, sent);
    }

    @Override
    public boolean messagesStandAlone() {
      return false;
    }
  }

  @Test
  void aLossTakesAlongWhatFollowsWhereMessagesDoNotStandAloneAndNothingIsDoubled()
      throws IOException {
    proxy = NetworkProxy.to(server.port(), Dependent::new);
    open.add(proxy);
    Client client = new Client();
    proxy.decide(
        message ->
            ifRequest(message, "a", Delivery.DOUBLE) == Delivery.DOUBLE
                ? Delivery.DOUBLE
                : ifRequest(message, "b", Delivery.LOSE));

    client.send("a");
    client.send("b");
    client.send("c");

    assertThat(client.read()).contains("a 1");
    client.requireSilence();
    assertThat(server.received()).containsExactly("a");
  }

  @Test
  void aConnectionIsCutAtAMessage() throws IOException {
    proxy.decide(message -> ifRequest(message, "b", Delivery.CUT));
    Client client = new Client();
    client.ask("a");

    client.send("b");

    assertThatThrownBy(client::read).isInstanceOf(SocketException.class);
    awaitReceived("a", "(reset)");
  }

  @Test
  void itsThreadAndItsConnectionsAreGoneWhenItIsClosed() throws IOException {
    Client client = new Client();
    client.ask("a");
    int port = proxy.port();

    proxy.close();
    open.remove(proxy);

    assertThatThrownBy(client::read).isInstanceOf(SocketException.class);
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(ConnectException.class);
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("tck-network-proxy"));
  }
}
