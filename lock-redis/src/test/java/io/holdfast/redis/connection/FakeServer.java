package io.holdfast.redis.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server of one connection that gives the same answer to every script, and OK to the rest, unless
 * told otherwise.
 */
final class FakeServer implements AutoCloseable {

  private final ServerSocket socket;

  /** The answers to commands. */
  private final Map<String, String> answers = new ConcurrentHashMap<>();

  private FakeServer(ServerSocket socket) {
    this.socket = socket;
  }

  /** Starts it with the lines of the answer. */
  static FakeServer answering(String... lines) {
    return answeringAt(InetAddress.getLoopbackAddress(), lines);
  }

  /** Starts it at an address of this machine. */
  static FakeServer answeringAt(InetAddress address, String... lines) {
    FakeServer server = listening(address);
    server.answers.put("EVALSHA", String.join("\r\n", lines) + "\r\n");
    server.start(server::serve);
    return server;
  }

  /** Starts one that sends an error to whoever connects, and closes the connection. */
  static FakeServer turningAway(String error) {
    FakeServer server = listening(InetAddress.getLoopbackAddress());
    server.start(() -> server.turnAway(error));
    return server;
  }

  private static FakeServer listening(InetAddress address) {
    try {
      return new FakeServer(new ServerSocket(0, 1, address));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void start(Runnable task) {
    Thread thread = new Thread(task, "fake-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void turnAway(String error) {
    try (Socket client = socket.accept()) {
      client.getOutputStream().write(("-" + error + "\r\n").getBytes(ISO_8859_1));
    } catch (IOException e) {
      // The client has left, or the test is over.
    }
  }

  /** Refuses a command. */
  FakeServer refusing(String command, String error) {
    answers.put(command, "-" + error + "\r\n");
    return this;
  }

  private void serve() {
    try (Socket client = socket.accept()) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(client.getInputStream(), ISO_8859_1));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("*")) {
          String command = command(in, Integer.parseInt(line.substring(1)));
          client
              .getOutputStream()
              .write(answers.getOrDefault(command, "+OK\r\n").getBytes(ISO_8859_1));
        }
      }
    } catch (IOException e) {
      // The client has left, or the test is over.
    }
  }

  /** Reads a command to its end; none that is sent here has a line break in an argument. */
  private static String command(BufferedReader in, int arguments) throws IOException {
    String first = "";
    for (int i = 0; i < arguments; i++) {
      in.readLine();
      String argument = in.readLine();
      first = i == 0 ? argument : first;
    }
    return first;
  }

  String uri() {
    return "redis://" + address();
  }

  String address() {
    return socket.getInetAddress().getHostAddress() + ":" + port();
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
