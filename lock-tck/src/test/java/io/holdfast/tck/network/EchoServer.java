package io.holdfast.tck.network;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers each line with the same and its number, and remembers what it was sent. */
final class EchoServer implements AutoCloseable {

  private final ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final List<Socket> connections = new CopyOnWriteArrayList<>();

  EchoServer() throws IOException {
    start(this::accept);
  }

  int port() {
    return socket.getLocalPort();
  }

  /** Returns the lines that arrived, and how each connection ended. */
  List<String> received() {
    return received;
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException closed) {
                // The test is over.
              }
            },
            "echo");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (true) {
      Socket connection = socket.accept();
      connections.add(connection);
      start(() -> serve(connection));
    }
  }

  private void serve(Socket connection) throws IOException {
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
    try (connection) {
      int number = 0;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        received.add(line);
        connection
            .getOutputStream()
            .write("%s %d\n".formatted(line, ++number).getBytes(StandardCharsets.ISO_8859_1));
      }
      received.add("(end)");
    } catch (IOException e) {
      received.add("(reset)");
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket connection : connections) {
      connection.close();
    }
  }
}
