package io.holdfast.redis.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.holdfast.testing.redis.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** Names one server as the master, whoever asks and for whatever name. */
final class FakeSentinel implements AutoCloseable {
  private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final AtomicInteger asked = new AtomicInteger();
  private final String answer;

  FakeSentinel(RedisServer master) throws IOException {
    String port = Integer.toString(master.port());
    this.answer = String.join("\r\n", "*2", "$9", "127.0.0.1", "$" + port.length(), port, "");
    start(this::accept);
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "fake-sentinel");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        start(() -> serve(client));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void serve(Socket client) {
    try (client;
        BufferedReader in =
            new BufferedReader(new InputStreamReader(client.getInputStream(), ISO_8859_1))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals("SENTINEL")) {
          asked.incrementAndGet();
          client.getOutputStream().write(answer.getBytes(ISO_8859_1));
        }
      }
    } catch (IOException e) {
      // The client has left.
    }
  }

  /** Returns how often it has named the master. */
  int asked() {
    return asked.get();
  }

  int port() {
    return socket.getLocalPort();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
