package io.holdfast.jdbc.pools;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Stands between a client and a PostgreSQL server. From a moment on it answers in the server's
 * place with a notice that comes byte by byte and never ends.
 */
final class DrippingRelay implements AutoCloseable {

  private static final long PAUSE_MILLIS = 20;

  /** The header of a notice of a million bytes. */
  private static final byte[] NOTICE = {'N', 0, 0x10, 0, 0};

  private final ServerSocket entrance;
  private final int server;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private volatile boolean dripping;

  DrippingRelay(int server) throws IOException {
    this.server = server;
    this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return entrance.getLocalPort();
  }

  /** Whether answers come drop by drop from now on. */
  void drip(boolean drip) {
    dripping = drip;
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  private static void start(Step step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (IOException | InterruptedException e) {
                // One of the two ends has gone.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = entrance.accept();
      Socket behind = new Socket(InetAddress.getLoopbackAddress(), server);
      sockets.add(client);
      sockets.add(behind);
      start(() -> pass(client, behind));
      start(() -> answer(behind, client));
    }
  }

  private static void pass(Socket from, Socket to) throws IOException {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    }
  }

  private void answer(Socket from, Socket to) throws IOException, InterruptedException {
    InputStream in = from.getInputStream();
    OutputStream out = to.getOutputStream();
    byte[] buffer = new byte[8192];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      if (dripping) {
        out.write(NOTICE);
        while (true) {
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
          out.write('x');
        }
      }
      out.write(buffer, 0, n);
    }
  }

  @Override
  public void close() throws IOException {
    entrance.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
