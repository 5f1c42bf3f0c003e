package io.holdfast.benchmarks.counts;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.network.RespFraming;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TrafficTest {

  private static final byte[] REQUEST = "*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ANSWER = "+PONG\r\n".getBytes(StandardCharsets.US_ASCII);

  private ServerSocket listener;
  private Traffic traffic;
  private Socket client;
  private Socket server;

  @BeforeEach
  void connect() throws Exception {
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    traffic = Traffic.to(listener.getLocalPort(), RespFraming::new);
    CompletableFuture<Socket> accepted = CompletableFuture.supplyAsync(this::accept);
    client = new Socket(InetAddress.getLoopbackAddress(), traffic.port());
    server = accepted.get();
  }

  private Socket accept() {
    try {
      return listener.accept();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
    traffic.close();
    listener.close();
  }

  @Test
  void aRequestThatWaitedForAnAnswerIsAnotherRoundTrip() throws IOException {
    exchange(1);
    exchange(1);

    assertThat(traffic.read().figures())
        .containsEntry(Figure.ROUND_TRIPS, 2.0)
        .containsEntry(Figure.REQUESTS, 2.0)
        .containsEntry(Figure.SENT_BYTES, 2.0 * REQUEST.length)
        .containsEntry(Figure.RECEIVED_BYTES, 2.0 * ANSWER.length);
  }

  @Test
  void requestsThatAreSentTogetherAreOneRoundTrip() throws IOException {
    exchange(3);

    assertThat(traffic.read().figures())
        .containsEntry(Figure.ROUND_TRIPS, 1.0)
        .containsEntry(Figure.REQUESTS, 3.0);
  }

  /** Sends requests without waiting for answers, then answers all of them. */
  private void exchange(int requests) throws IOException {
    for (int i = 0; i < requests; i++) {
      client.getOutputStream().write(REQUEST);
    }
    read(server.getInputStream(), requests * REQUEST.length);
    for (int i = 0; i < requests; i++) {
      server.getOutputStream().write(ANSWER);
    }
    read(client.getInputStream(), requests * ANSWER.length);
  }

  private static void read(InputStream from, int length) throws IOException {
    assertThat(from.readNBytes(length)).hasSize(length);
  }
}
