package io.holdfast.zookeeper.connection;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.client.HostProvider;

/**
 * The order in which the servers are tried. Each new client goes on where the last one stopped. A
 * hanging server accepts connections and never answers; with a random order, a session might try it
 * again until its lease is over. Thread-safe.
 */
final class ServerRotation {

  private final Servers servers;
  private final AtomicInteger turn;

  ServerRotation(Servers servers) {
    this.servers = servers;
    this.turn = new AtomicInteger(servers.begin());
  }

  /** Returns the servers in the order in which a new connection is to try them. */
  HostProvider hostProvider() {
    return new RotatingHostProvider();
  }

  private final class RotatingHostProvider implements HostProvider {
    private final AtomicInteger tries = new AtomicInteger();
    private volatile int tried;

    @Override
    public int size() {
      return servers.size();
    }

    /** Pauses after each round in vain, on the library's thread, as its own providers do. */
    @Override
    public InetSocketAddress next(long pauseMillis) {
      int before = tries.getAndIncrement();
      if (before > 0 && before % servers.size() == 0) {
        try {
          Thread.sleep(pauseMillis);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      int now = turn.getAndIncrement();
      tried = now;
      return servers.at(now);
    }

    @Override
    public void onConnected() {
      tries.set(0);
      servers.connected(tried);
    }

    /** The servers of a URI stay as they are. */
    @Override
    public boolean updateServerList(
        Collection<InetSocketAddress> addresses, InetSocketAddress current) {
      return false;
    }
  }
}
