package io.holdfast.redis.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between clients and servers as some proxies do: it can lead connections that are open to
 * another server, and their clients do not notice.
 */
final class MovingProxy implements AutoCloseable {

  private final ServerSocket listening;
  private final List<Pair> pairs = new CopyOnWriteArrayList<>();
  private volatile int target;

  MovingProxy(int target) {
    this(InetAddress.getLoopbackAddress(), 0, target);
  }

  /**
   * Makes one at an address.
   *
   * @param port 0 for any
   */
  MovingProxy(InetAddress address, int port, int target) {
    this.target = target;
    this.listening = Listeners.listen(address, port);
    start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Leads all connections to another server, those that are open and those to come. */
  synchronized void moveTo(int port) {
    target = port;
    pairs.forEach(Pair::move);
  }

  /** Leads connections to come to another server. */
  synchronized void leadNextTo(int port) {
    target = port;
  }

  private static void start(Runnable body) {
    Thread thread = new Thread(body, "moving-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Pair pair = join(listening.accept());
        start(pair::toServer);
        start(pair::toClient);
      }
    } catch (IOException e) {
      pairs.forEach(Pair::close);
    }
  }

  /** Not while all are moved: one that is made meanwhile would stay behind. */
  private synchronized Pair join(Socket client) throws IOException {
    Pair pair = new Pair(client);
    pairs.add(pair);
    return pair;
  }

  private final class Pair {
    private final Socket client;
    private volatile Socket server;

    Pair(Socket client) throws IOException {
      this.client = client;
      this.server = new Socket(InetAddress.getLoopbackAddress(), target);
    }

    void move() {
      Socket before = server;
      try {
        server = new Socket(InetAddress.getLoopbackAddress(), target);
        before.close();
      } catch (IOException e) {
        close();
      }
    }

    void toServer() {
      byte[] buffer = new byte[65_536];
      try {
        InputStream from = client.getInputStream();
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
          OutputStream to = server.getOutputStream();
          to.write(buffer, 0, read);
          to.flush();
        }
      } catch (IOException e) {
        // The connection is over, which its other half sees as well.
      }
      close();
    }

    void toClient() {
      byte[] buffer = new byte[65_536];
      while (!client.isClosed()) {
        Socket from = server;
        try {
          int read = from.getInputStream().read(buffer);
          if (read >= 0) {
            client.getOutputStream().write(buffer, 0, read);
          } else if (from == server) {
            close();
          }
        } catch (IOException e) {
          if (from == server) {
            close();
          }
        }
      }
    }

    void close() {
      try (Socket one = client;
          Socket other = server) {
        pairs.remove(this);
      } catch (IOException e) {
        // Closed is all that it has to be.
      }
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    pairs.forEach(Pair::close);
  }
}
